import { Suspense, useState } from 'react'
import { Alert, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import { z } from 'zod'
import { dayText } from '#shared/dates.ts'
import { recordId } from '#shared/schemas.ts'
import {
  taskNotices,
  type TaskCustomer,
  type TaskNotices,
} from '#features/crm/support/task-notices/contract.ts'
import { CustomerList } from '#features/crm/support/task-notices/web/CustomerList.tsx'
import { CustomerPane } from '#features/crm/support/task-notices/web/CustomerPane.tsx'
import { isLeft } from '#features/crm/support/task-notices/web/noticeStates.tsx'
import { useUndoLast } from '#features/crm/support/task-notices/web/useNotices.ts'
import classes from '#features/crm/support/task-notices/web/task-notices.module.css'
import { tasks } from '#features/tasks/tasks/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { ApiError } from '#web/api/errors.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import { useAddress } from '#web/list/address/useAddress.ts'
import { EmptyState, Loaded } from '#web/list/states.tsx'
import { askToProceed } from '#web/message/messages.ts'
import { TextButton } from '#web/parts/controls.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { LinkOverPage } from '#web/record/LinkOverPage.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { PanesHead, PanesPage } from '#web/sheet/PanesPage.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'
import { NoAccessPage } from '#web/states/NoAccess.tsx'

const SkipCustomer = lazyPart(() => import('#features/crm/support/task-notices/web/SkipCustomer.tsx'))

const name = 'Notify customers'
const parents = [['/support', 'Support tickets']] as const

/** Page for notifying the customers of a delivered task: a queue of customers, and a message to each. */
export function TaskNoticesPage() {
  const { task } = useParams({ strict: false }) as { task?: string }
  const id = Number(task)
  return Number.isSafeInteger(id) && id > 0 ? <NoticesLoader key={id} id={id} /> : <NotFoundPage />
}

function NoticesLoader({ id }: { id: number }) {
  const may = useMay(taskNotices.show, { params: { task: id } })
  const query = useQuery({ ...queryOptionsFor(taskNotices.show, { params: { task: id } }), enabled: may })
  if (!may || (query.error instanceof ApiError && query.error.status === 403))
    return <NoAccessPage title={name} parents={parents} />
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFoundPage />
  if (query.data) return <Notices notices={query.data.data} />
  return (
    <>
      <PageHeader title={name} parents={parents} />
      <Loaded query={query} what="The customers">
        {() => null}
      </Loaded>
    </>
  )
}

const Address = z.object({ open: recordId.optional() })

/** Returns the open customer, and functions that open another one. */
function useQueue(customers: readonly TaskCustomer[]) {
  const [{ open }, change] = useAddress(Address)
  // Chosen once: a customer to whom the user is writing stays open if someone else skips them.
  const [first] = useState(() => customers.find(isLeft)?.ticket_id)
  const withId = (id: number | undefined) => customers.find(({ ticket_id }) => ticket_id === id)
  const found = withId(open)
  const current = found ?? withId(first) ?? customers[0]
  const at = current ? customers.indexOf(current) : -1
  const openOne = (ticket: number | undefined) => void change({ open: ticket }, { replace: true })
  return {
    current,
    /** Whether a customer was chosen: a phone shows either the queue or the customer. */
    isChosen: found !== undefined,
    open: openOne,
    step: (by: 1 | -1) => {
      const next = customers[at + by]
      if (next) openOne(next.ticket_id)
    },
    /** Opens the next customer who is left, or, after the last one, none. */
    openNext: () => {
      const left = [...customers.slice(at + 1), ...customers.slice(0, at)].filter(isLeft)
      const next = left.find(
        ({ same_as, ticket_id }) => same_as !== current?.ticket_id && ticket_id !== current?.same_as,
      )
      openOne(next?.ticket_id)
    },
  }
}

function Notices({ notices }: { notices: TaskNotices }) {
  const { customers, hidden } = notices
  const queue = useQueue(customers)
  const { current } = queue
  const { last, undo, noteSent } = useUndoLast(notices, queue.open)
  const [isSkipping, setSkipping] = useState(false)
  const maySkip = notices.is_delivered && current !== undefined && isLeft(current)
  usePageKeys({
    j: () => queue.step(1),
    k: () => queue.step(-1),
    ...(maySkip ? { s: () => setSkipping(true) } : {}),
    ...(last ? { u: undo } : {}),
  })
  return (
    <PanesPage isOpen={queue.isChosen}>
      <Head notices={notices} />
      {!notices.is_delivered && (
        <Alert color="orange" radius={0} role="alert">
          {`This task is not delivered: its status is ${notices.status_name}. No messages can be sent until it is.`}
        </Alert>
      )}
      {customers.length === 0 && hidden === 0 ? (
        <NoCustomers notices={notices} />
      ) : (
        <div className={classes.panes}>
          <CustomerList
            customers={customers}
            current={current?.ticket_id}
            hidden={hidden}
            onOpen={queue.open}
            onUndo={last && undo}
          />
          <section className={classes.pane} aria-label="Customer">
            <div className={classes.back}>
              <TextButton
                icon={<IconArrowLeft size={14} aria-hidden />}
                onClick={() => queue.open(undefined)}
              >
                Back to list
              </TextButton>
            </div>
            {current && (
              <CustomerPane
                key={`${current.ticket_id} ${current.notice === null}`}
                notices={notices}
                customer={current}
                onSent={(values) => {
                  noteSent(current.ticket_id, values)
                  queue.openNext()
                }}
                onSkip={() => setSkipping(true)}
                onUndo={last?.ticket_id === current.ticket_id ? undo : undefined}
              />
            )}
          </section>
        </div>
      )}
      {isSkipping && current && (
        <Suspense>
          <SkipCustomer
            task={notices.id}
            customer={current}
            onSkipped={queue.openNext}
            onClose={() => setSkipping(false)}
          />
        </Suspense>
      )}
    </PanesPage>
  )
}

/** The task, and what is left to do before it is set as notified. */
function Head({ notices }: { notices: TaskNotices }) {
  const { id, title, customers, hidden, is_notified, delivered_at, delivered_by, due_date } = notices
  const left = customers.filter(isLeft).length + hidden
  const sent = customers.filter(({ notice }) => notice?.state === 'sent').length
  const { mark, sending, may } = useMark(notices)
  return (
    <>
      <PanesHead>
        <PageHeader title={`${name}: ${title}`} parents={parents}>
          {customers.length > 0 && (
            <>
              <Soft as="span">{`${sent} of ${customers.length + hidden} notified`}</Soft>
              {is_notified ? (
                <Tone tone="green">Notified</Tone>
              ) : (
                may && (
                  <Button
                    variant="default"
                    loading={sending}
                    disabled={left > 0}
                    title={left > 0 ? leftText(left) : 'Set the task as notified'}
                    onClick={() => void mark()}
                  >
                    Set as notified
                  </Button>
                )
              )}
            </>
          )}
        </PageHeader>
      </PanesHead>
      <div className={classes.about}>
        <span>
          <Soft as="span">Task</Soft> <LinkOverPage name="task" id={id}>{`#${id}`}</LinkOverPage>
        </span>
        <span>
          <Tone tone={notices.status_tone}>{notices.status_name}</Tone>{' '}
          {delivered_at && dayText(delivered_at.slice(0, 10))}
          {delivered_by && ` by ${delivered_by}`}
        </span>
        {due_date && (
          <span>
            <Soft as="span">Due</Soft> {dayText(due_date)}
          </span>
        )}
      </div>
    </>
  )
}

const leftText = (left: number) =>
  left === 1 ? '1 customer is still to review' : `${left} customers are still to review`

/** Returns the function that sets the task as notified without a message. */
function useMark({ id, discipline }: TaskNotices) {
  const { notificationStatus } = tasks[discipline]
  const { announceAct } = useUndo()
  const { send, sending } = useSend(notificationStatus, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  return {
    may: useMay(notificationStatus, { params: { id } }),
    sending,
    mark: () => send({ params: { id } }),
  }
}

/** A task without tickets: it can only be set as notified. */
function NoCustomers({ notices }: { notices: TaskNotices }) {
  const { mark, sending, may } = useMark(notices)
  const { is_notified } = notices
  async function ask(): Promise<void> {
    const detail = 'No ticket is linked to it. No email will be sent.'
    if (await askToProceed('Mark this task as notified?', { detail })) await mark()
  }
  return (
    <div className={classes.middle}>
      <EmptyState
        title={is_notified ? 'This task is set as notified' : 'No customers to notify'}
        action={
          may &&
          !is_notified && (
            <Button loading={sending} onClick={() => void ask()}>
              Mark as notified
            </Button>
          )
        }
      >
        No ticket is linked to this task, so there is no one to send a message to.
      </EmptyState>
    </div>
  )
}
