"""The sections of the Truncation page."""

from pages.truncation import cut, data, proof, race
from pages.ui.sections import Section

OWN = 0.25  # seconds between two looks at a run of the section's own

SECTIONS = {
    "cut": Section("The cut", cut.show, moves=cut.moving, every=1.5, beside=(344, 612), keeps=cut.KEEPS),
    "data": Section("The data", data.show, moves=data.moving, every=OWN, keeps=data.KEEPS),
    "proof": Section("The proof", proof.show, moves=proof.moving, every=OWN, keeps=proof.KEEPS),
    "race": Section("The race", race.show, moves=race.moving, every=0.5, keeps=race.KEEPS),
}
