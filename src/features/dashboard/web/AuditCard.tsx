import type { Dashboard } from '#features/dashboard/contract.ts'
import classes from '#features/dashboard/web/dashboard.module.css'
import { Moment } from '#web/Moment.tsx'

/** The last changes that anybody made; only roles 0 and 1 are sent them. */
export function AuditCard({ entries }: { entries: NonNullable<Dashboard['audit']> }) {
  return (
    <section className={classes.card} aria-labelledby="audit">
      <h2 id="audit" className={classes.cardTitle}>
        Last changes
      </h2>
      {entries.length === 0 ? (
        <p className={classes.none}>Nothing has been changed yet.</p>
      ) : (
        <ul className={classes.list}>
          {entries.map(({ id, at, who, endpoint, target }) => (
            <li key={id} className={classes.entry}>
              <span className={classes.itemName}>{who}</span>
              <span className={classes.itemDetail} title={endpoint}>
                {inWords(endpoint)}
                {target && ` · ${target}`}
              </span>
              <span className={classes.itemDay}>
                <Moment at={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** `change demorequest color`, of `GET /admin/users/change-demorequest-color`. */
function inWords(endpoint: string): string {
  const last = endpoint.split('/').findLast((part) => !part.startsWith('{')) ?? endpoint
  return last.replaceAll(/[-_]/g, ' ')
}
