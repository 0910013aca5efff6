"""Who answers: strategies and the random bot."""
