import type { z } from 'zod'
import type { Reply } from '#shared/endpoint.ts'
import { capitalize } from '#shared/capitalize.ts'
import { counted, recordTypes, type RecordType } from '#shared/records.ts'
import { useQuery } from '@tanstack/react-query'
import { Deactivation, staff, type StaffMember } from '#features/admin/staff/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { PersonField } from '#web/form/PersonField.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useStaff } from '#web/filter/useOptions.ts'
import { toast } from '#web/message/toast.ts'

interface Values {
  to: string
  /** Who gets the work that `to` can't open, by type; empty for no one. */
  others: Partial<Record<RecordType, string>>
}

const noOne: Values = { to: '', others: {} }

type Takers = Reply<typeof staff.held>['takers']

/** Returns the types of work that the chosen person can't open. */
const closedTo = (to: string, takers: Takers = {}): RecordType[] =>
  to === ''
    ? []
    : (Object.keys(takers) as RecordType[]).filter((type) => !takers[type]!.ids.includes(Number(to)))

const bodyOf = ({ to, others }: Values, takers: Takers | undefined): z.input<typeof Deactivation> => {
  if (to === '') return {}
  const closed = closedTo(to, takers).map((type) => [type, Number(others[type] ?? '') || null] as const)
  return { to: Number(to), ...(closed.length > 0 ? { others: Object.fromEntries(closed) } : {}) }
}

/** Dialog for deactivating an admin user and reassigning their work in the same step. */
export default function DeactivateForm({ person, onClose }: { person: StaffMember; onClose: () => void }) {
  const { data: held, takers } =
    useQuery({ ...queryOptionsFor(staff.held, { params: { id: person.id } }), staleTime: 0 }).data ?? {}
  const others = useStaff().filter(({ id }) => id !== person.id)
  const { send: restore } = useSend(staff.restore, {
    onDone: ({ message }) => toast.success(message),
  })
  const { send } = useSend(staff.deactivate, { failure: 'throw' })
  const said = held && Object.entries(held).map(([type, count]) => counted(type as RecordType, count))
  const holds = said !== undefined && said.length > 0
  const form = useDraftForm({
    name: `deactivate-${person.id}`,
    initial: noOne,
    schema: Deactivation,
    toSend: (values) => bodyOf(values, takers),
    onSave: async (values) => {
      const reply = await send({ params: { id: person.id }, body: bodyOf(values, takers) })
      if (reply)
        toast.success(reply.message, {
          undo: { label: 'Undo', onUndo: () => void restore({ params: { id: person.id } }) },
        })
    },
    onSaved: onClose,
  })
  const { to } = form.fields.values
  const closed = closedTo(to, takers)
  const isChosen = (type: RecordType) =>
    takers![type]!.can_be_unassigned || Boolean(form.fields.values.others[type])
  return (
    <FormModal
      title={`Deactivate ${person.name}`}
      form={form}
      onClose={onClose}
      saveLabel="Deactivate"
      whyNotSave={
        said === undefined
          ? 'Checking for open work…'
          : (holds && to === '') || !closed.every(isChosen)
            ? 'Choose a new assignee.'
            : undefined
      }
    >
      <p role="status">
        {said === undefined
          ? 'Checking for open work…'
          : holds
            ? `Open work to reassign: ${said.join(', ')}.`
            : 'They have no open work.'}
      </p>
      {holds && <PersonField form={form.fields} name="to" label="Reassign to" required staff={others} />}
      {closed.length > 0 && (
        <p role="status">
          {others.find(({ id }) => id === Number(to))?.name} can’t open{' '}
          {closed.map((type) => recordTypes[type].many).join(', ')}. Choose who gets them.
        </p>
      )}
      {closed.map((type) => {
        const { ids, can_be_unassigned } = takers![type]!
        return (
          <PersonField
            key={type}
            form={form.fields}
            name={`others.${type}`}
            label={capitalize(recordTypes[type].many)}
            staff={others.filter(({ id }) => ids.includes(id))}
            {...(can_be_unassigned ? { none: 'Leave unassigned' } : { required: true })}
          />
        )
      })}
      <p>
        They’ll be signed out everywhere and won’t be able to sign in. If you reactivate them later, their
        reassigned work will be returned to them.
      </p>
    </FormModal>
  )
}
