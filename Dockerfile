# The course, ready to open: docker build -t subword-lab . && docker run --rm -p 8888:8888 subword-lab
# To keep your work, add: -v subword-lab:/home/learner
FROM python:3.13-slim

COPY . /tmp/source
RUN python -m pip install --no-cache-dir "/tmp/source[lab]" && rm -r /tmp/source && useradd --create-home learner

USER learner
WORKDIR /home/learner
EXPOSE 8888
# Jupyter prints the address to open; --ip lets it be reached from outside the container.
CMD ["sh", "-c", "subword-lab open course --no-browser --port 8888 --host 0.0.0.0"]
