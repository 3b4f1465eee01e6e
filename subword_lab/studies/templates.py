"""A conversation as one text: chat templates, which models bring along as small programs in Jinja."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..running import run


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
    sandbox, for it is a stranger's program; here it also gets a process of its own, five seconds, and half a gigabyte.

    Raises ValueError for a template that Jinja cannot read or run, that needs more than that or makes a text of more
    than 20,000 characters; for a conversation that it refuses; and without jinja2, which comes with JupyterLab.

    >>> render("{% for message in messages %}<{{ message.role }}>{{ message.content }}{% endfor %}",
    ...        [{"role": "user", "content": "Hi!"}])
    '<user>Hi!'
    """
    given = {"messages": list(messages), "add_generation_prompt": add_generation_prompt, **values}
    done = run(_rendered, [(template, given)])
    if done.outcome != "ok":
        said = done.results[0].message if done.outcome == "error" else done.message
        raise ValueError(f"template cannot be rendered: {said}")
    return str(done.results[0].value)


def _rendered(template: str, given: dict[str, Any]) -> str:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    def refuse(message: str) -> None:
        raise ValueError(f"it refuses this conversation: {message}")

    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    environment.globals["raise_exception"] = refuse
    return environment.from_string(template).render(given)


_rendered.__module__ = "template"  # nothing of this package is needed, and so it can go elsewhere
