"""Record what the pinned torch shows for every page: `python -m tests.golden.record_pages`."""

import json

from tests.golden.pages import FOLDER, NAMES, programs, shown


def main() -> None:
    """Write the JSON file of every page."""
    for name in NAMES:
        facts = {title: shown(source, "torch") for title, source in programs(name).items()}
        text = json.dumps(facts, indent=1, ensure_ascii=False)
        (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
