import { useQuery } from '@tanstack/react-query'
import { savedReplies, type SavedReplyRow } from '#features/crm/support/saved-replies.contract.ts'
import { EditSavedReply } from '#features/crm/support/web/saved-replies/SavedReplyForm.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import type { OpenRecord } from '#web/list/inbox/Inbox.tsx'
import { RecordPane } from '#web/list/inbox/RecordPane.tsx'

/** A saved reply beside the list, as a form. */
export default function SavedReplyPane({ id }: OpenRecord<SavedReplyRow>) {
  const query = useQuery(queryOptionsFor(savedReplies.show, { params: { id } }))
  const may = useMay(savedReplies.show, { params: { id } })
  return (
    <RecordPane query={query} one="saved reply" may={may}>
      {({ data }) => <EditSavedReply key={data.id} reply={data} />}
    </RecordPane>
  )
}
