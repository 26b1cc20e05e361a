// ProjectionTests
