# The dashboard in a container. `docker compose up` starts it behind a proxy; alone it is
#   docker build -t rnn-dashboard . && docker run --rm --init -p 8501:8501 rnn-dashboard
# The root file system may be read-only: only /tmp is written to.
ARG PYTHON=3.11

FROM python:${PYTHON}-slim AS packages
COPY requirements.txt /
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --only-binary=:all: -r /requirements.txt

FROM python:${PYTHON}-slim
COPY --from=packages /venv /venv
WORKDIR /app
COPY dashboard.py ./
COPY .streamlit .streamlit
COPY core core
COPY pages pages
ENV PATH=/venv/bin:$PATH HOME=/tmp PYTHONUNBUFFERED=1 OPENBLAS_NUM_THREADS=1 \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 STREAMLIT_SERVER_PORT=8501 STREAMLIT_SERVER_HEADLESS=true STREAMLIT_SERVER_BASE_URL_PATH="" \
    STREAMLIT_BROWSER_SERVER_ADDRESS=localhost
RUN python -m compileall -q core pages
USER 1000
EXPOSE 8501
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["python", "-c", "import os, urllib.request as web; web.urlopen( \
    'http://127.0.0.1:{STREAMLIT_SERVER_PORT}{STREAMLIT_SERVER_BASE_URL_PATH}/_stcore/health'.format(**os.environ), timeout=4)"]
CMD ["streamlit", "run", "dashboard.py"]
