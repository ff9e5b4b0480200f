import { useQuery } from '@tanstack/react-query'
import {
  assignmentRules,
  AssignmentRules,
  type StoredRules,
} from '#features/crm/support/assignment-rules.contract.ts'
import {
  rulesToSend,
  valuesOfRules,
  type RuleValues,
} from '#features/crm/support/web/settings/assignmentForm.ts'
import { RuleTable } from '#features/crm/support/web/settings/RuleTable.tsx'
import { SettingsForm, SettingsPage } from '#features/crm/support/web/settings/SettingsForm.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { toast } from '#web/message/toast.ts'

const name = 'assignment rules'

/** The rules that assign new tickets. */
export function AssignmentPage() {
  const query = useQuery(queryOptionsFor(assignmentRules.show))
  return (
    <SettingsPage query={query} may={useMay(assignmentRules.show)} name={name}>
      {(stored) => <RulesForm key={stored.version} stored={stored} />}
    </SettingsPage>
  )
}

function RulesForm({ stored }: { stored: StoredRules }) {
  const { send } = useSend(assignmentRules.change, { failure: 'throw' })
  const form = useDraftForm<RuleValues>({
    name: 'assignment-rules',
    initial: valuesOfRules(stored),
    schema: AssignmentRules,
    toSend: rulesToSend,
    onSave: async (values) => {
      const reply = await send({ body: { ...rulesToSend(values), version: stored.version } })
      if (reply) toast.success(reply.message)
    },
  })
  return (
    <SettingsForm form={form} name={name} note="Changes apply to tickets that arrive from now on.">
      <RuleTable form={form} people={stored.people} />
    </SettingsForm>
  )
}
