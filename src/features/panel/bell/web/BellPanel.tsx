import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import IconChecklist from '@tabler/icons-react/dist/esm/icons/IconChecklist.mjs'
import IconMessage from '@tabler/icons-react/dist/esm/icons/IconMessage.mjs'
import { dayText } from '#shared/dates.ts'
import type { Reply } from '#shared/endpoint.ts'
import type { tickets } from '#features/crm/support/contract.ts'
import type { anyTask } from '#features/tasks/tasks/contract.ts'
import { NotifyHere, useWayToReply, type UnreadTicket } from '#features/panel/bell/web/bellActs.tsx'
import { EmptyState, Loaded, LoadingState } from '#web/list/states.tsx'
import { heldReply } from '#web/mail/sentReply.ts'
import { Moment } from '#web/Moment.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { PanelPopup, PanelRow, PanelRows } from '#web/parts/PanelPopup.tsx'
import type { MenuAt } from '#web/parts/useMenuButton.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { useToday } from '#web/time.ts'

/** Needed only once a reply is begun. */
const BellReply = lazyPart(() => import('#features/panel/bell/web/BellReply.tsx'))
/** Needed only once a reply was sent. */
const UndoSentReply = lazyPart(() => import('#web/mail/UndoSentReply.tsx'))

interface Props {
  at: MenuAt
  /** Undefined if the viewer cannot see tickets, in which case the tab is not shown. */
  tickets: Asked<Reply<typeof tickets.unread>> | undefined
  tasks: Asked<Reply<typeof anyTask.unnotified>> | undefined
}

interface Asked<Data> {
  data: Data | undefined
  error: unknown
  isLoading: boolean
  refetch: () => unknown
}

/** The items that the bell counts, in two tabs (A §2). */
export default function BellPanel({ at, ...shown }: Props) {
  return at.opened ? <OpenPanel at={at} {...shown} /> : null
}

function OpenPanel({ at, tickets, tasks }: Props) {
  const tabs = [
    ...(tickets ? [{ name: 'Support' as const, count: tickets.data?.ticket_count ?? 0 }] : []),
    ...(tasks ? [{ name: 'Tasks' as const, count: tasks.data?.task_count ?? 0 }] : []),
  ]
  const [chosen, setTab] = useState<'Support' | 'Tasks'>()
  // Chosen once: a tab whose last item is handled stays open.
  const isLoaded = (!tickets || tickets.data) && (!tasks || tasks.data)
  if (chosen === undefined && isLoaded && tabs.length > 0)
    setTab((tabs.find(({ count }) => count > 0) ?? tabs[0]!).name)
  const tab = tabs.find(({ name }) => name === chosen)?.name ?? tabs[0]?.name
  return (
    <PanelPopup at={at} label="Notifications" tabs={tabs} tab={tab} onTab={setTab} foot={footOf(tab)}>
      {tab === 'Support' && tickets && <TicketItems tickets={tickets} />}
      {tab === 'Tasks' && tasks && <TaskItems tasks={tasks} />}
      {tab === undefined && <EmptyState title="Your role doesn’t have any notifications." />}
    </PanelPopup>
  )
}

function footOf(tab: 'Support' | 'Tasks' | undefined) {
  if (tab === 'Tasks') return 'Delivered tasks whose customers haven’t been notified'
  return (
    tab && (
      <>
        Unread until someone opens the ticket
        <PageLink to="/support">View all tickets</PageLink>
      </>
    )
  )
}

function TicketItems({ tickets }: { tickets: NonNullable<Props['tickets']> }) {
  // Above the rows, because a ticket that was answered is no longer among them.
  const [sent, setSent] = useState(heldReply)
  return (
    <>
      {sent && (
        <Suspense>
          <UndoSentReply key={sent.mail_id} reply={sent} />
        </Suspense>
      )}
      <Loaded query={tickets} what="Unread tickets">
        {({ unread_tickets }) =>
          unread_tickets.length === 0 ? (
            <EmptyState title="No unread tickets">New customer messages appear here right away.</EmptyState>
          ) : (
            <PanelRows>
              {unread_tickets.map((ticket) => (
                <TicketItem key={ticket.id} ticket={ticket} onSent={() => setSent(heldReply())} />
              ))}
            </PanelRows>
          )
        }
      </Loaded>
    </>
  )
}

function TicketItem({ ticket, onSent }: { ticket: UnreadTicket; onSent: () => void }) {
  const navigate = useNavigate()
  const { way, isBegun } = useWayToReply(ticket)
  const [isOpen, setOpen] = useState(way === 'here' && isBegun)
  const { title, created_at, st_id, organization_id, who, organization, words } = ticket
  const to = `/support/ticket/${st_id}/${organization_id}`
  return (
    <PanelRow
      icon={<IconMessage size={16} aria-hidden />}
      title={title}
      when={<Moment at={created_at} />}
      note={[[who, organization].filter(Boolean).join(', '), words].filter(Boolean).join(' · ')}
      to={to}
      onOpen={() => void navigate({ to })}
      acts={
        way &&
        !isOpen && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`${isBegun ? 'Continue reply' : 'Reply'} to ${title}`}
            onClick={() => (way === 'here' ? setOpen(true) : void navigate({ to }))}
          >
            {isBegun ? 'Continue reply' : 'Reply'}
          </Button>
        )
      }
      below={
        isOpen &&
        way && (
          <Suspense fallback={<LoadingState rows={2} />}>
            <BellReply ticket={ticket} onSent={onSent} onClose={() => setOpen(false)} />
          </Suspense>
        )
      }
    />
  )
}

function TaskItems({ tasks }: { tasks: NonNullable<Props['tasks']> }) {
  const navigate = useNavigate()
  const today = useToday()
  return (
    <Loaded query={tasks} what="Tasks">
      {({ tasks: waiting }) =>
        waiting.length === 0 ? (
          <EmptyState title="No customers to notify">Delivered tasks appear here.</EmptyState>
        ) : (
          <PanelRows>
            {waiting.map((task) => (
              <PanelRow
                key={task.id}
                icon={<IconChecklist size={16} aria-hidden />}
                title={task.title}
                when={task.due_date && `Due ${dayText(task.due_date)}`}
                isLate={task.due_date !== null && task.due_date < today}
                note={task.organizations}
                to={`/dashboard?task=${task.id}`}
                onOpen={() =>
                  void navigate({ to: '.', search: (now: object) => ({ ...now, task: task.id }) })
                }
                acts={<NotifyHere task={task} />}
              />
            ))}
          </PanelRows>
        )
      }
    </Loaded>
  )
}
