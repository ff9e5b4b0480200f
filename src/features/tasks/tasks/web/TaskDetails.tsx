import { Suspense, useId, useState, type KeyboardEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { Button, Modal } from '@mantine/core'
import { can } from '#shared/access.ts'
import { anyTask, tasks, type Task } from '#features/tasks/tasks/contract.ts'
import { issueAnchor } from '#features/tasks/tasks/issues.contract.ts'
import { delivered, disciplineOf, tabNames, tabsOf, type PanelTab } from '#features/tasks/tasks/rules.ts'
import { ActivityTab } from '#features/tasks/tasks/web/ActivityTab.tsx'
import { InformationTab } from '#features/tasks/tasks/web/InformationTab.tsx'
import { IssuesTab, useTicks, type Ticks } from '#features/tasks/tasks/web/IssuesTab.tsx'
import { ProgressTab } from '#features/tasks/tasks/web/ProgressTab.tsx'
import classes from '#features/tasks/tasks/web/tasks.module.css'
import { TicketTab } from '#features/tasks/tasks/web/TicketTab.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { InnerContext, useNestedState } from '#web/form/inner.ts'
import { ErrorState, LoadingState } from '#web/list/states.tsx'
import { Gone } from '#web/record/Gone.tsx'
import { Presence } from '#web/record/Presence.tsx'
import { useRemove } from '#web/record/useRemove.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { RichText } from '#web/richtext/RichText.tsx'
import { useViewer } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { askToDiscard, askToProceed, useMessage } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'
import { useDialog } from '#web/parts/useDialog.ts'

const EditTask = lazyPart(() => import('#features/tasks/tasks/web/TaskForm.tsx'), 'EditTask')

/**
 * Task Details dialog, shown on top of the page. Of its five tabs, it shows those that B §2 allows for the
 * viewer's role and permissions.
 */
export default function TaskDetails({ id, onClose }: { id: number; onClose: () => void }) {
  const may = useMay(anyTask.view, { params: { id } })
  const query = useQuery(queryOptionsFor(anyTask.view, { params: { id } }))
  const message = useMessage()
  const inner = useNestedState()
  const dialog = useDialog()
  // Without the permission, fetch nothing and show nothing (A §5).
  if (!may) return null

  /** Asks before discarding unsaved input, because each tab has a separate Save button. */
  async function close(): Promise<void> {
    if (inner.isTyped) {
      if (!(await askToDiscard())) return
      inner.discard()
    }
    onClose()
  }

  return (
    <Modal
      opened
      onClose={() => void close()}
      title="Task Details"
      size={760}
      closeOnEscape={dialog.closeOnEscape && !message}
      closeOnClickOutside={!inner.isTyped}
    >
      {query.data ? (
        <InnerContext value={inner.tell}>
          <Gone type={disciplineOf(query.data.data.discipline).type} id={id} error={query.error} />
          <Details task={query.data.data} onClose={() => void close()} />
        </InnerContext>
      ) : query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <LoadingState />
      )}
    </Modal>
  )
}

function Details({ task, onClose }: { task: Task; onClose: () => void }) {
  const viewer = useViewer()
  const tabs = viewer ? tabsOf(viewer, task.discipline) : []
  const isIssueNamed = useLocation({ select: ({ hash }) => hash.startsWith(issueAnchor('')) })
  const [chosen, setChosen] = useState<PanelTab>(isIssueNamed ? 'issues' : 'information')
  const ticks = useTicks(task)
  const name = useId()
  const tab = tabs.includes(chosen) ? chosen : 'information'

  function move(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length]!
    setChosen(next)
    document.getElementById(`${name}-${next}`)?.focus()
  }

  return (
    <div className={classes.details}>
      <Header task={task} onClose={onClose} />
      <div role="tablist" aria-label="Task Details" className={classes.tabs} onKeyDown={move}>
        {tabs.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`${name}-${one}`}
            className={classes.tab}
            aria-selected={one === tab}
            aria-controls={`${name}-panel`}
            tabIndex={one === tab ? 0 : -1}
            onClick={() => setChosen(one)}
          >
            {tabNames[one]}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${name}-panel`}
        aria-labelledby={`${name}-${tab}`}
        tabIndex={0}
        className={classes.panel}
      >
        <Tab tab={tab} task={task} ticks={ticks} onClose={onClose} />
      </div>
    </div>
  )
}

function Tab({
  tab,
  task,
  ticks,
  onClose,
}: {
  tab: PanelTab
  task: Task
  ticks: Ticks
  onClose: () => void
}) {
  if (tab === 'ticket') return <TicketTab ticket={task.ticket} />
  if (tab === 'activity') return <ActivityTab activity={task.activity ?? []} />
  if (tab === 'progress') return <ProgressTab task={task} />
  if (tab === 'issues') return <IssuesTab task={task} ticks={ticks} onClose={onClose} />
  return <InformationTab task={task} />
}

function Header({ task, onClose }: { task: Task; onClose: () => void }) {
  const [isEditing, setEditing] = useState(false)
  const { update } = tasks[task.discipline]
  const mayEdit = useMay(update, { params: { id: task.id }, body: {} })
  const { mayRemove, remove, removing } = useRemove(disciplineOf(task.discipline).type, {
    onDone: onClose,
  })
  return (
    <header className={classes.head}>
      <div className={classes.headLine}>
        <h2>{task.title}</h2>
        <span className={classes.acts}>
          <Presence type={disciplineOf(task.discipline).type} id={task.id} />
          <Notify task={task} />
          {mayEdit && (
            <Button variant="default" onClick={() => setEditing(true)}>
              Edit
            </Button>
          )}
          {mayRemove && (
            <Button variant="default" loading={removing} onClick={() => remove([task.id])}>
              Move to trash
            </Button>
          )}
        </span>
      </div>
      {task.description && <RichText html={task.description} />}
      {isEditing && (
        <Suspense>
          <EditTask task={task} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </header>
  )
}

function whyNoMessage({ organization, status, ticket_id }: Task): string {
  if (organization.length === 0) return 'It has no customer.'
  if (status !== delivered) return 'It isn’t delivered yet.'
  return ticket_id === null ? 'No ticket is linked to it.' : 'You don’t have access to its ticket.'
}

/**
 * Button for notifying the customers (B §2): for a delivered task with a ticket, it leads to a message to each of them,
 * after which the task is set as notified; otherwise, it asks, and only sets the task as notified. Failures are logged
 * and shown (B §8).
 */
function Notify({ task }: { task: Task }) {
  const viewer = useViewer()
  const navigate = useNavigate()
  const { notificationStatus } = tasks[task.discipline]
  const may = useMay(notificationStatus, { params: { id: task.id } })
  const { announceAct } = useUndo()
  const { send, sending } = useSend(notificationStatus, {
    failure: 'throw',
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  if (!may || task.is_customer_notified !== 0) return null
  if (task.status === delivered && task.ticket_id !== null && can(viewer, 'all_tickets_view'))
    return (
      <Button
        title="Write a message to each customer"
        onClick={() => void navigate({ to: `/support/notify/${task.id}` })}
      >
        Notify
      </Button>
    )
  async function notify(): Promise<void> {
    const detail = `${whyNoMessage(task)} No email will be sent.`
    if (!(await askToProceed('Mark this task as notified?', { detail }))) return
    try {
      await send({ params: { id: task.id } })
    } catch (error) {
      console.error(error)
      toast.failure(errorMessageOf(error))
    }
  }
  return (
    <Button
      loading={sending}
      title="Mark the customer as notified. No email is sent."
      onClick={() => void notify()}
    >
      Notify
    </Button>
  )
}
