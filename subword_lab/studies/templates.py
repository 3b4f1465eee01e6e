"""A conversation as one text: chat templates, which models bring along as small programs in Jinja."""

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn


def render(
    template: str,
    messages: Iterable[Mapping[str, str]],
    *,
    add_generation_prompt: bool = False,
    **values: Any,
) -> str:
    """The text that a chat template makes of messages.

    template: in Jinja, as in a model's `chat_template.jinja` or `tokenizer_config.json`. messages: each with its `role`
    and `content`. add_generation_prompt: whether the template should begin the model's answer, too. values: whatever
    else it names, such as `bos_token`; what it names and does not get is empty. As in transformers, lines that hold a
    command alone leave no line, `raise_exception(message)` refuses a conversation, and the template runs in Jinja's
    sandbox, for it is a stranger's program.

    Raises ValueError for a template that Jinja cannot read or run, and for a conversation that the template refuses;
    ImportError without jinja2, which comes with JupyterLab.

    >>> render("{% for message in messages %}<{{ message.role }}>{{ message.content }}{% endfor %}",
    ...        [{"role": "user", "content": "Hi!"}])
    '<user>Hi!'
    """
    from jinja2 import TemplateError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    environment.globals["raise_exception"] = _refuse
    try:
        return environment.from_string(template).render(
            messages=list(messages), add_generation_prompt=add_generation_prompt, **values
        )
    except TemplateError as error:
        raise ValueError(f"template cannot be rendered: {error}") from error


def _refuse(message: str) -> NoReturn:
    raise ValueError(f"the template refuses this conversation: {message}")
