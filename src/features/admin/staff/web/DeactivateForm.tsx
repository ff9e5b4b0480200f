import { Suspense } from 'react'
import { TextInput } from '@mantine/core'
import type { z } from 'zod'
import type { Reply } from '#shared/endpoint.ts'
import type { Option } from '#shared/options.contract.ts'
import { capitalize } from '#shared/capitalize.ts'
import { counted, recordTypes, type RecordType } from '#shared/records.ts'
import { useQuery } from '@tanstack/react-query'
import { Deactivation, staff, type StaffMember } from '#features/admin/staff/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { PersonField } from '#web/form/PersonField.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { asChoices, useStaff } from '#web/filter/useOptions.ts'
import { toast } from '#web/message/toast.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const SeveralSelect = lazyPart(() => import('#web/form/SeveralSelect.tsx'))

interface Values {
  to: string
  /** Who gets the work that `to` can't open, by type; empty for no one. */
  others: Partial<Record<RecordType, string>>
  /** Among whom the tickets are distributed; no one if they aren't. */
  among: { ticket: string[] }
}

const noOne: Values = { to: '', others: {}, among: { ticket: [] } }

type Takers = Reply<typeof staff.held>['takers']

/** Returns the types of work that go to one person: all, or all but tickets that are distributed. */
const ofOnePerson = ({ among }: Values, takers: Takers = {}): RecordType[] =>
  (Object.keys(takers) as RecordType[]).filter((type) => type !== 'ticket' || among.ticket.length === 0)

/** Returns the types of work that the chosen person can't open. */
const closedTo = (values: Values, takers: Takers = {}): RecordType[] =>
  values.to === ''
    ? []
    : ofOnePerson(values, takers).filter((type) => !takers[type]!.ids.includes(Number(values.to)))

const bodyOf = (values: Values, takers: Takers | undefined): z.input<typeof Deactivation> => {
  const { to, others, among } = values
  const closed = closedTo(values, takers).map((type) => [type, Number(others[type] ?? '') || null] as const)
  return {
    ...(to === '' ? {} : { to: Number(to) }),
    ...(closed.length > 0 ? { others: Object.fromEntries(closed) } : {}),
    ...(among.ticket.length > 0 ? { among: { ticket: among.ticket.map(Number) } } : {}),
  }
}

/** Returns the form that deactivates an admin user, with Undo. */
function useDeactivation({ id }: StaffMember, takers: Takers | undefined, onSaved: () => void) {
  const { send: restore } = useSend(staff.restore, {
    onDone: ({ message }) => toast.success(message),
  })
  const { send } = useSend(staff.deactivate, { failure: 'throw' })
  return useDraftForm({
    name: `deactivate-${id}`,
    initial: noOne,
    schema: Deactivation,
    toSend: (values) => bodyOf(values, takers),
    onSave: async (values) => {
      const reply = await send({ params: { id }, body: bodyOf(values, takers) })
      if (reply)
        toast.success(reply.message, {
          undo: { label: 'Undo', onUndo: () => void restore({ params: { id } }) },
        })
    },
    onSaved,
  })
}

/** Dialog for deactivating an admin user and reassigning their work in the same step. */
export default function DeactivateForm({ person, onClose }: { person: StaffMember; onClose: () => void }) {
  const { data: held, takers } =
    useQuery({ ...queryOptionsFor(staff.held, { params: { id: person.id } }), staleTime: 0 }).data ?? {}
  const others = useStaff().filter(({ id }) => id !== person.id)
  const said = held && Object.entries(held).map(([type, count]) => counted(type as RecordType, count))
  const holds = said !== undefined && said.length > 0
  const form = useDeactivation(person, takers, onClose)
  const { to } = form.fields.values
  const closed = closedTo(form.fields.values, takers)
  const needsOne = ofOnePerson(form.fields.values, takers).length > 0
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
          : (needsOne && to === '') || !closed.every(isChosen)
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
      {holds && (
        <PersonField form={form.fields} name="to" label="Reassign to" required={needsOne} staff={others} />
      )}
      {(held?.ticket ?? 0) > 1 && (
        <DistributeField form={form} people={others.filter(({ id }) => takers!.ticket!.ids.includes(id))} />
      )}
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

interface DistributeProps {
  form: DraftForm<Values>
  /** The admin users who can take over tickets. */
  people: readonly Option[]
}

/** Field for the people among whom the tickets are distributed. */
const DistributeField = ({ form: { fields }, people }: DistributeProps) => (
  <Suspense fallback={<TextInput label="Distribute tickets among" disabled />}>
    <SeveralSelect
      label="Distribute tickets among"
      description="Several people get about as many each, instead of one."
      placeholder="Type to search"
      nothingFoundMessage="No admin users found."
      data={asChoices(people)}
      data-path="among.ticket"
      {...fields.getInputProps('among.ticket')}
    />
  </Suspense>
)
