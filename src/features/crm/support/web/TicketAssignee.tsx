import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs'
import { nameInChoice } from '#shared/away.contract.ts'
import { type TicketRow, tickets } from '#features/crm/support/contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { useAssignable, useAssignees } from '#features/crm/support/web/useAssignable.ts'
import { useTicketChange } from '#features/crm/support/web/useTicketChange.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { Initials } from '#web/Avatar.tsx'
import { CellMenu, choicesFor, ChoiceMenu, type Choice } from '#web/list/CellMenu.tsx'
import type { PageAct } from '#web/palette/pageActs.ts'
import { useViewer } from '#web/session.ts'

type Assigned = Pick<TicketRow, 'id' | 'title' | 'version' | 'assignee_id' | 'assignee'>

const unassigned = 0

/** Returns a function that assigns a ticket; 0 unassigns it. */
function useAssign() {
  const { send } = useSend(tickets.update, useTicketChange())
  return ({ id, version, assignee_id }: Assigned, to: number) =>
    void send({
      params: { id },
      body: { assignee_id: to === unassigned ? null : to, version, base: { assignee_id } },
    })
}

/** Returns a function that assigns a ticket to the viewer, who must be allowed to change tickets. */
export function useAssignToMe() {
  const viewer = useViewer()
  const assign = useAssign()
  const may = useMay(tickets.update, { params: { id: 1 }, body: {} })
  return (ticket: Assigned) => {
    if (may && viewer && ticket.assignee_id !== viewer.id) assign(ticket, viewer.id)
  }
}

interface Props {
  ticket: Assigned
  /** Whether it is shown by the initials, and then whether the name is beside them. */
  isMark?: boolean
  isNamed?: boolean
}

/** A ticket's assignee, changed in place. */
export function TicketAssignee({ ticket, isMark = false, isNamed = false }: Props) {
  const assign = useAssign()
  const may = useMay(tickets.update, { params: { id: ticket.id }, body: {} })
  const label = `Assignee of ${ticket.title}`
  return (
    <CellMenu
      label={label}
      current={{ name: ticket.assignee ?? 'Unassigned' }}
      {...(isMark && {
        shown: isNamed ? <NamedMark ticket={ticket} /> : <AssigneeMark name={ticket.assignee} />,
      })}
      may={may}
    >
      {(at) => <AssigneeMenu at={at} label={label} ticket={ticket} onChoose={(id) => assign(ticket, id)} />}
    </CellMenu>
  )
}

/** The initials of an assignee, or a dashed ring if there is none. */
const AssigneeMark = ({ name, label }: { name: string | null; label?: string }) => (
  <span className={classes.assignee} title={label === undefined ? (name ?? 'Unassigned') : undefined}>
    {name === null ? (
      <span className={classes.noAssignee}>
        <IconUserPlus size={12} stroke={1.5} aria-hidden />
      </span>
    ) : (
      <Initials name={name} size={20} />
    )}
    {label}
  </span>
)

/** The initials and the name of an assignee, with until when they are away. */
function NamedMark({ ticket: { assignee, assignee_id } }: { ticket: Assigned }) {
  const away = useAssignable().find(({ id }) => id === assignee_id)?.away
  const name = assignee ?? 'Unassigned'
  return <AssigneeMark name={assignee} label={nameInChoice({ name, away })} />
}

interface MenuProps {
  at: Parameters<typeof ChoiceMenu>[0]['at']
  label: string
  ticket: Assigned
  onChoose: (id: number) => void
}

const AssigneeMenu = ({ at, label, ticket, onChoose }: MenuProps) => (
  <ChoiceMenu
    at={at}
    label={label}
    chosen={ticket.assignee_id ?? unassigned}
    options={useChoices(ticket)}
    onChoose={onChoose}
  />
)

/** Returns the choices of a ticket's assignee. */
function useChoices({ assignee_id, assignee }: Assigned): Choice[] {
  const viewer = useViewer()
  const assignees = useAssignees()
  const isListed = assignee_id === null || assignees.some(({ id }) => id === assignee_id)
  const others = assignees.filter(({ id }) => id !== viewer?.id)
  return [
    ...assignees.filter(({ id }) => id === viewer?.id).map(({ id }) => ({ id, name: 'Me' })),
    { id: unassigned, name: 'Unassigned' },
    // Someone who can no longer be assigned tickets.
    ...(isListed ? [] : [{ id: assignee_id, name: assignee ?? `#${assignee_id}` }]),
    ...others,
  ].map(({ id, name }) => ({ id, name }))
}

/** Returns a ticket's assignee and the choices, for the palette. */
export function useAssigneeAct(ticket: Assigned): Pick<PageAct, 'detail' | 'choices'> {
  const assign = useAssign()
  const choices = choicesFor(useChoices(ticket), ticket.assignee_id ?? unassigned, (id) => assign(ticket, id))
  return { detail: ticket.assignee ?? 'Unassigned', choices }
}
