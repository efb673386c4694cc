.PHONY: check lint types layers test bench vectors

check: lint types layers test

lint:
	python -m ruff check .
	python -m ruff format --check .

types:
	python -m mypy

layers:
	lint-imports

test:
	python -m pytest --cov --cov-report=term:skip-covered --cov-fail-under=85

vectors:
	python -m chathistory.samples

SHARED ?= ../shared

bench:
	python -m benchmarks.retrieval --openie $(SHARED)/bench/musique_train/openie.json --questions $(SHARED)/bench/musique_train/questions.json
	python -m benchmarks.zh_history --pages $(SHARED)/pages --questions $(SHARED)/bench/zh_history/questions.json
	python -m benchmarks.director $(SHARED)/bench/zh_history/director_cases.json
	python -m benchmarks.pagerank
	python -m benchmarks.scale
