import { counted, type RecordType } from '#shared/records.ts'
import { useQuery } from '@tanstack/react-query'
import { Deactivation, staff, type StaffMember } from '#features/admin/staff/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { PersonField } from '#web/form/PersonField.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useStaff } from '#web/filter/useOptions.ts'
import { toast } from '#web/message/toast.ts'

/** Dialog for deactivating an admin user and reassigning their work in the same step. */
export default function DeactivateForm({ person, onClose }: { person: StaffMember; onClose: () => void }) {
  const held = useQuery({ ...queryOptionsFor(staff.held, { params: { id: person.id } }), staleTime: 0 }).data
    ?.data
  const others = useStaff().filter(({ id }) => id !== person.id)
  const { send: restore } = useSend(staff.restore, {
    onDone: ({ message }) => toast.success(message),
  })
  const { send } = useSend(staff.deactivate, { failure: 'throw' })
  const said = held && Object.entries(held).map(([type, count]) => counted(type as RecordType, count))
  const holds = said !== undefined && said.length > 0
  const form = useDraftForm({
    name: `deactivate-${person.id}`,
    initial: { to: '' },
    schema: Deactivation,
    toSend: ({ to }) => (to === '' ? {} : { to: Number(to) }),
    onSave: async ({ to }) => {
      const reply = await send({ params: { id: person.id }, body: to === '' ? {} : { to: Number(to) } })
      if (reply)
        toast.success(reply.message, {
          undo: { label: 'Undo', onUndo: () => void restore({ params: { id: person.id } }) },
        })
    },
    onSaved: onClose,
  })
  return (
    <FormModal
      title={`Deactivate ${person.name}`}
      form={form}
      onClose={onClose}
      saveLabel="Deactivate"
      whyNotSave={
        said === undefined
          ? 'Checking for open work…'
          : holds && form.fields.values.to === ''
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
      <p>
        They’ll be signed out everywhere and won’t be able to sign in. If you reactivate them later, their
        reassigned work will be returned to them.
      </p>
    </FormModal>
  )
}
