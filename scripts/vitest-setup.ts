import { startTestCluster } from '#server/db/testing.ts'

/** Runs once for a test run: one PostgreSQL for all workers. */
export default startTestCluster
