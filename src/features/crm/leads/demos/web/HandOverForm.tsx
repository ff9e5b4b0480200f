import type { Demo } from '#features/crm/leads/demos/contract.ts'
import { handOver, HandOver } from '#features/crm/leads/demos/hand-over.contract.ts'
import type { SessionLead } from '#features/crm/leads/demos/web/sessionForm.tsx'
import type { Fields } from '#shared/field.ts'
import { useSend } from '#web/api/useSend.ts'
import { asChoices, useStaff } from '#web/filter/useOptions.ts'
import { Field } from '#web/form/Field.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useFieldsForm } from '#web/form/useFieldsForm.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { useViewer } from '#web/session.ts'

const fields = {
  host_id: { label: 'New host', empty: '' },
  from: { label: 'In place of', empty: '' },
} as const satisfies Fields

interface Props {
  lead: Pick<SessionLead, 'lead_for'>
  demo: Demo
  onClose: () => void
}

/** Dialog for handing a session over to another host. */
export default function HandOverForm({ lead, demo, onClose }: Props) {
  const viewer = useViewer()
  const staff = useStaff(lead.lead_for)
  const { announceAct } = useUndo()
  const { send } = useSend(handOver.save, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(handOver.save)
  const isHost = (id: number | undefined) => id !== undefined && demo.host_ids.includes(id)
  const form = useFieldsForm({
    name: `hand-over-${demo.id}`,
    fields,
    schema: HandOver,
    initial: { from: isHost(viewer?.id) ? String(viewer!.id) : '' },
    adapt: (_, { host_id, from }) => ({ demoId: demo.id, host_id, ...(from !== '' && { from }) }),
    onSave: async (_, { host_id, from }) => {
      const places = { host_id: Number(host_id), ...(from !== '' && { from: Number(from) }) }
      const reply = await send({ body: { demoId: demo.id, ...places } })
      if (reply) announceAct(reply.message, reply.operation)
    },
    onSaved: onClose,
  })
  return (
    <FormModal
      title={`Hand over ${demo.type}`}
      form={form}
      onClose={onClose}
      whyNotSave={whyNotSave}
      saveLabel="Hand over"
    >
      <Field
        form={form}
        name="host_id"
        options={asChoices(
          staff.filter(({ id }) => !isHost(id)),
          'Choose…',
        )}
        description="The new host is notified, and so are the people invited."
        autoFocus
      />
      {demo.host_ids.length > 1 && (
        <Field
          form={form}
          name="from"
          options={asChoices(
            staff.filter(({ id }) => isHost(id)),
            'Choose…',
          )}
        />
      )}
    </FormModal>
  )
}
