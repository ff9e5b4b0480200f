import pg from 'pg'

/*
 * Loaded before the panel (`node --import`). Turns every twentieth commit into a rollback that looks like a
 * commit: the fault that the counts in faults.test.ts must detect.
 */

const everyHowMany = 20

const send: (...words: any[]) => any = pg.Client.prototype.query
let commits = 0

pg.Client.prototype.query = function (this: pg.Client, first: unknown, ...more: unknown[]) {
  if (first === 'commit') commits += 1
  if (first !== 'commit' || commits % everyHowMany !== 0) return send.call(this, first, ...more)
  return send
    .call(this, 'rollback', ...more)
    .then((result: pg.QueryResult) => ({ ...result, command: 'COMMIT' }))
}
