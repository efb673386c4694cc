.PHONY: check lint types layers test bench

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
