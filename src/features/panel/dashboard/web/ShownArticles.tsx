import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { recordTypes, type RecordType } from '#shared/records.ts'
import { announcing } from '#features/cms/articles/announcing/contract.ts'
import classes from '#features/panel/dashboard/web/dashboard.module.css'
import { ask } from '#web/api/client.ts'
import { Moment } from '#web/Moment.tsx'
import { useProduct } from '#web/session.ts'

/** What was published and is to be seen by the staff; nothing where there is none. */
export function ShownArticles() {
  const product_id = useProduct()
  const { data } = useQuery(ask(announcing.shown, { query: { product_id } }))
  if (!data?.data.length) return null
  return (
    <section className={classes.card} aria-labelledby="shown-articles">
      <h2 id="shown-articles" className={classes.cardTitle}>
        News for the team
      </h2>
      <ul className={classes.list}>
        {data.data.map(({ type, id, address, title, short_description, published_at }) => (
          <li key={`${type} ${id}`}>
            <Link to={address} className={classes.item}>
              <span className={classes.itemName}>{title}</span>
              <span className={classes.itemDetail}>{[recordTypes[type as RecordType].one, short_description].filter(Boolean).join(' · ')}</span>
              <span className={classes.itemDay}>
                <Moment at={published_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
