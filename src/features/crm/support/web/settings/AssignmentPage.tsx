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
import classes from '#features/crm/support/web/settings/settings.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { RestoredDraft } from '#web/form/FormModal.tsx'
import { SaveBar } from '#web/form/SaveBar.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useWarnBeforeLeaving } from '#web/form/useWarnBeforeLeaving.ts'
import { Loaded } from '#web/list/states.tsx'
import { toast } from '#web/message/toast.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { NoAccess } from '#web/states/NoAccess.tsx'

const parents = [['/support', 'Support tickets']] as const

/** The rules that assign new tickets. */
export function AssignmentPage() {
  const may = useMay(assignmentRules.show)
  return (
    <>
      <PageHeader parents={parents} />
      {may ? <LoadedRules /> : <NoAccess>Only admins can see and change assignment rules.</NoAccess>}
    </>
  )
}

function LoadedRules() {
  const query = useQuery(queryOptionsFor(assignmentRules.show))
  return <Loaded query={query}>{({ data }) => <RulesForm key={data.version} stored={data} />}</Loaded>
}

function RulesForm({ stored }: { stored: StoredRules }) {
  const { send } = useSend(assignmentRules.change, { refresh: [assignmentRules.show], failure: 'throw' })
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
  useWarnBeforeLeaving(form)
  return (
    <form {...form.formProps} className={classes.form} aria-label="Assignment rules">
      <RestoredDraft form={form} />
      <RuleTable form={form} people={stored.people} />
      <SaveBar form={form} save="Save assignment rules">
        Changes apply to tickets that arrive from now on.
      </SaveBar>
    </form>
  )
}
