// PropertyTests
