import { useQuery } from '@tanstack/react-query'
import { recordTypes, type RecordType } from '#shared/records.ts'
import { announcing } from '#features/cms/articles/announcing/contract.ts'
import { queryTogether } from '#web/api/together.ts'
import { CardItem, CardList, DashboardCard } from '#web/dashboard/DashboardCard.tsx'
import { Moment } from '#web/Moment.tsx'
import { useProduct } from '#web/session.ts'

/** List of published articles flagged for staff; renders nothing if there are none. */
export function ShownArticles() {
  const product_id = useProduct()
  const { data } = useQuery(queryTogether(announcing.shown, { query: { product_id } }))
  if (!data?.data.length) return null
  return (
    <DashboardCard id="shown-articles" title="News for the team">
      <CardList>
        {data.data.map(({ type, id, address, title, short_description, published_at }) => (
          <CardItem
            key={`${type} ${id}`}
            name={title}
            detail={[recordTypes[type as RecordType].one, short_description].filter(Boolean).join(' · ')}
            at={<Moment at={published_at} />}
            to={address}
          />
        ))}
      </CardList>
    </DashboardCard>
  )
}
