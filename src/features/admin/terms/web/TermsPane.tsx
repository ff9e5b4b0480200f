import { useQuery } from '@tanstack/react-query'
import { terms } from '#features/admin/terms/contract.ts'
import { TermsText } from '#features/admin/terms/web/TermsText.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { RecordPane } from '#web/list/inbox/RecordPane.tsx'

/** A version of the terms beside the list. */
export default function TermsPane({ id }: { id: number }) {
  const query = useQuery(queryOptionsFor(terms.show, { params: { id } }))
  const may = useMay(terms.show, { params: { id } })
  return (
    <RecordPane query={query} one="version" may={may}>
      {({ data }) => <TermsText key={data.id} shown={data} />}
    </RecordPane>
  )
}
