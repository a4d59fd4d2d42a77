"""The lit test format of the build with all mutants: it notes for each test
which mutations the test evaluates. See Mutated.h."""
import os

import lit.formats


class ReachingTest(lit.formats.ShTest):
    def __init__(self, folder):
        super().__init__(execute_external=False)
        self.folder = folder

    def execute(self, test, lit_config):
        reached = os.path.join(self.folder, "+".join(test.path_in_suite))
        test.config.environment = {**test.config.environment, "UNRAVEL_MUTATIONS_REACHED": reached}
        return super().execute(test, lit_config)
