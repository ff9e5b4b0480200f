import { Suspense } from 'react'
import { Button } from '@mantine/core'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import { mailStates } from '#shared/mails.ts'
import type { TaskCustomer, TaskNotices } from '#features/crm/support/task-notices/contract.ts'
import { unreachable } from '#features/crm/support/task-notices/contract.ts'
import type { MessageValues } from '#features/crm/support/task-notices/web/useNotices.ts'
import classes from '#features/crm/support/task-notices/web/task-notices.module.css'
import { Initials } from '#web/Avatar.tsx'
import { LoadingState } from '#web/list/states.tsx'
import { TextLink } from '#web/parts/controls.tsx'
import { PhoneLink } from '#web/parts/PhoneLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Entry } from '#web/stream/Entry.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { fullTime } from '#web/time.ts'

const MessageForm = lazyPart(() => import('#features/crm/support/task-notices/web/MessageForm.tsx'))

interface Props {
  notices: TaskNotices
  customer: TaskCustomer
  onSent: (values: MessageValues) => void
  onSkip: () => void
  /** Undoes what was done with this customer; undefined if it can't be undone here. */
  onUndo: (() => void) | undefined
}

/** A customer beside the queue, with the request, and the message to them or what became of it. */
export function CustomerPane({ notices, customer, onSent, onSkip, onUndo }: Props) {
  const { ticket_id, org_id, title, requester, organization, words, asked_at, notice, why } = customer
  return (
    <>
      <header className={classes.paneHead}>
        <div>
          <h2>{requester}</h2>
          <Soft small>{[organization, `#${ticket_id} ${title}`].filter(Boolean).join(' · ')}</Soft>
        </div>
        <TextLink
          to={`/support/ticket/${ticket_id}/${org_id}`}
          icon={<IconExternalLink size={14} aria-hidden />}
        >
          Open ticket
        </TextLink>
      </header>
      <div className={classes.scroll}>
        <div className={classes.wrap}>
          {words && (
            <Entry
              entry={{
                id: `asked-${ticket_id}`,
                kind: 'theirs',
                at: asked_at,
                who: requester,
                avatar: <Initials name={requester} size={28} />,
                content: <div className={classes.words}>{words}</div>,
              }}
            />
          )}
          {notice ? (
            <Done customer={customer} onUndo={onUndo} />
          ) : !notices.is_delivered ? null : why ? (
            <Unreachable customer={customer} onSkip={onSkip} />
          ) : (
            <Suspense fallback={<LoadingState />}>
              <MessageForm task={notices.id} customer={customer} onSent={onSent} onSkip={onSkip} />
            </Suspense>
          )}
        </div>
      </div>
    </>
  )
}

/** What became of a customer, and who did it. */
function Done({ customer: { notice, requester }, onUndo }: Pick<Props, 'customer' | 'onUndo'>) {
  const { state, reason, who, at, mail, sent_in } = notice!
  return (
    <div className={classes.done} role="status">
      <p>
        {state === 'sent'
          ? `${who} sent ${requester} a message, ${fullTime(at)}.`
          : sent_in === null
            ? `${who} skipped ${requester}, ${fullTime(at)}: ${reason}`
            : `${who} sent ${requester} a message in #${sent_in}, ${fullTime(at)}.`}
      </p>
      {mail && (
        <Soft>{`Email: ${mailStates[mail.state].toLowerCase()}.${mail.error ? ` ${mail.error}` : ''}`}</Soft>
      )}
      {onUndo && (
        <Button variant="default" onClick={onUndo}>
          {state === 'sent' ? 'Undo send' : 'Undo skip'}
        </Button>
      )}
    </div>
  )
}

/** A customer who can't get an email: the number to call, and the button that says that it was done. */
const Unreachable = ({ customer, onSkip }: Pick<Props, 'customer' | 'onSkip'>) => (
  <div className={classes.done}>
    <p>
      {`${unreachable[customer.why!]}. `}
      {customer.phone && (
        <>
          Call <PhoneLink number={customer.phone} />.
        </>
      )}
    </p>
    <Button variant="default" title="Skip (S), asks for a reason" onClick={onSkip}>
      Skip…
    </Button>
  </div>
)
