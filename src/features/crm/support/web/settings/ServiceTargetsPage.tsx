import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { offeredZones } from '#shared/zones.ts'
import { ServiceTargets, serviceTargets, type StoredTargets } from '#features/crm/support/targets.contract.ts'
import { HoursTable, Holidays } from '#features/crm/support/web/settings/HoursFields.tsx'
import { TargetTable } from '#features/crm/support/web/settings/TargetTable.tsx'
import { FormRules, toSend, valuesOf, type Values } from '#features/crm/support/web/settings/targetForm.ts'
import classes from '#features/crm/support/web/settings/settings.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { RestoredDraft } from '#web/form/FormModal.tsx'
import { SaveBar } from '#web/form/SaveBar.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { useWarnBeforeLeaving } from '#web/form/useWarnBeforeLeaving.ts'
import { Loaded } from '#web/list/states.tsx'
import { toast } from '#web/message/toast.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { NoAccess } from '#web/states/NoAccess.tsx'

const parents = [['/support', 'Support tickets']] as const

/** How soon tickets are to be answered and solved, and the working hours in which that time counts. */
export function ServiceTargetsPage() {
  const may = useMay(serviceTargets.show)
  return (
    <>
      <PageHeader parents={parents} />
      {may ? <LoadedTargets /> : <NoAccess>Only admins can see and change service targets.</NoAccess>}
    </>
  )
}

function LoadedTargets() {
  const query = useQuery(queryOptionsFor(serviceTargets.show))
  return <Loaded query={query}>{({ data }) => <TargetsForm key={data.version} stored={data} />}</Loaded>
}

function TargetsForm({ stored }: { stored: StoredTargets }) {
  const { send } = useSend(serviceTargets.change, { refresh: [serviceTargets.show], failure: 'throw' })
  const form = useDraftForm<Values>({
    name: 'service-targets',
    initial: valuesOf(stored),
    schema: FormRules,
    toSend,
    onSave: async (values) => {
      const body = ServiceTargets.parse(toSend(values))
      const reply = await send({ body: { ...body, version: stored.version } })
      if (reply) toast.success(reply.message)
    },
  })
  useWarnBeforeLeaving(form)
  return (
    <form {...form.formProps} className={classes.form} aria-label="Service targets">
      <RestoredDraft form={form} />
      <TargetTable form={form} />
      <div className={classes.half}>
        <HoursTable form={form}>
          <Zone form={form} />
        </HoursTable>
        <Holidays form={form} />
      </div>
      <SaveBar form={form} save="Save service targets">
        Changes apply to targets that start from now on.
      </SaveBar>
    </form>
  )
}

function Zone({ form: { fields } }: { form: DraftForm<Values> }) {
  const { zone } = fields.getValues()
  const zones = offeredZones.some((one) => one === zone) ? [...offeredZones] : [zone, ...offeredZones]
  return <NativeSelect label="Time zone" data={zones} {...fields.getInputProps('zone')} data-path="zone" />
}
