import { useState } from 'react'
import { recordTypes } from '#shared/records.ts'
import { restoreDraft } from '#web/form/otherDrafts.ts'
import { forgetSentReply, type SentReply } from '#web/mail/sentReply.ts'
import { UndoSend } from '#web/mail/UndoSend.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useViewer } from '#web/session.ts'

/** Button for undoing a reply on a record that isn't open while its email is held; its text is kept as a draft there. */
export default function UndoSentReply({ reply }: { reply: SentReply }) {
  const { record, mail_id, draft, values, until } = reply
  const viewer = useViewer()
  const [seconds] = useState(() => Math.floor((until - Date.now()) / 1000))
  const onUndone = () => {
    forgetSentReply(mail_id)
    restoreDraft(draft, values)
  }
  return (
    <UndoSend
      mail_ids={[mail_id]}
      seconds={seconds}
      label={`Sending reply to #${record.id}…`}
      doneWords="Reply canceled."
      onUndone={onUndone}
      doneLine={
        <span>
          Its text is kept as a draft in{' '}
          <PageLink to={recordAddress(record.type, record.id, viewer)!}>
            {`${recordTypes[record.type].one} #${record.id}`}
          </PageLink>
          .
        </span>
      }
    />
  )
}
