import { Link } from '@tanstack/react-router'
import type { Dashboard } from '#features/panel/dashboard/contract.ts'
import classes from '#features/panel/dashboard/web/dashboard.module.css'
import { Moment } from '#web/Moment.tsx'
import { slugOf } from '#web/slug.ts'

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
          {entries.map(({ id, at, who, act, target, lead_id }) => (
            <li key={id} className={classes.entry}>
              <span>
                <span className={classes.itemName}>{who}</span> <span className={classes.act}>{lower(act)}</span>
                {target && ' · '}
                {target && (lead_id === null ? target : <Link to={`/demo-leads/${slugOf(target)}/${lead_id}`}>{target}</Link>)}
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

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
