import { startTestCluster } from '#server/db/testing.ts'

/** Runs once per test run: starts one PostgreSQL server for all workers. */
export default () => startTestCluster()
