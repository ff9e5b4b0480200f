import { CallInput, leadCalls, type LeadCall } from '#features/crm/leads/calls/contract.ts'
import { callFields } from '#features/crm/leads/calls/fields.ts'
import { callDirections, callOutcomes } from '#features/crm/leads/calls/rules.ts'
import { useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useFieldsForm } from '#web/form/useFieldsForm.ts'
import { useUndo } from '#web/record/useUndo.ts'

const optionsOf = (names: Readonly<Record<string | number, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }))

/** Form for a call that was logged. The follow-up date belongs to the lead and is changed there. */
export function EditCall({ call, onClose }: { call: LeadCall; onClose: () => void }) {
  const { announceAct } = useUndo()
  const { send } = useSend(leadCalls.change, { failure: 'throw' })
  const form = useFieldsForm({
    name: `call-${call.id}`,
    fields: callFields,
    schema: CallInput,
    initial: {
      direction: call.direction,
      outcome: String(call.outcome),
      minutes: call.minutes === null ? '' : String(call.minutes),
      note: call.note,
    },
    onSave: async (values) => {
      const reply = await send({ params: { id: call.id }, body: CallInput.parse(values) })
      if (reply) announceAct(reply.message, reply.operation)
    },
    onSaved: onClose,
  })
  return (
    <FormModal title="Edit call" form={form} onClose={onClose}>
      <Field form={form} name="outcome" options={optionsOf(callOutcomes)} />
      <Field form={form} name="direction" options={optionsOf(callDirections)} />
      <Field form={form} name="minutes" />
      <Field form={form} name="note" />
    </FormModal>
  )
}
