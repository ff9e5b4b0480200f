import { startTestCluster } from '#server/db/testing.ts'

/** Runs once per test run: one PostgreSQL for all workers. */
export default startTestCluster
