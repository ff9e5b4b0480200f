import { useQuery } from '@tanstack/react-query'
import { recordMails } from '#shared/record-mail.contract.ts'
import type { MailedType } from '#shared/records.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { Loaded } from '#web/list/states.tsx'
import type { Email } from '#web/mail/emailOptions.ts'
import classes from '#web/mail/mail.module.css'
import { MailFrame } from '#web/parts/MailFrame.tsx'
import { RightModal } from '#web/parts/RightModal.tsx'

interface Props {
  type: MailedType
  id: number
  email: Email
  onClose: () => void
}

/** An email exactly as its recipients will see it. */
export function EmailPreview({ type, id, email, onClose }: Props) {
  const { to, cc = [], subject, content } = email
  const query = useQuery(
    queryOptionsFor(recordMails.preview, { params: { type, id }, body: { subject, content } }),
  )
  return (
    <RightModal title="Preview" size={720} onClose={onClose}>
      <Loaded query={query}>
        {({ data }) => (
          <>
            <dl className={classes.facts}>
              <dt>From</dt>
              <dd>{data.from}</dd>
              <dt>Replies to</dt>
              <dd>{data.reply_to}</dd>
              <dt>To</dt>
              <dd>{to.join(', ')}</dd>
              {cc.length > 0 && (
                <>
                  <dt>Cc</dt>
                  <dd>{cc.join(', ')}</dd>
                </>
              )}
              <dt>Subject</dt>
              <dd>
                <strong>{data.subject}</strong>
              </dd>
            </dl>
            <MailFrame html={data.html} />
          </>
        )}
      </Loaded>
    </RightModal>
  )
}
