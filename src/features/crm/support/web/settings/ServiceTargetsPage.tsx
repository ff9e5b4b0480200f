import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { offeredZones } from '#shared/zones.ts'
import { ServiceTargets, serviceTargets, type StoredTargets } from '#features/crm/support/targets.contract.ts'
import { HoursTable, Holidays } from '#features/crm/support/web/settings/HoursFields.tsx'
import { SettingsForm, SettingsPage } from '#features/crm/support/web/settings/SettingsForm.tsx'
import { TargetTable } from '#features/crm/support/web/settings/TargetTable.tsx'
import { FormRules, toSend, valuesOf, type Values } from '#features/crm/support/web/settings/targetForm.ts'
import classes from '#features/crm/support/web/settings/settings.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { toast } from '#web/message/toast.ts'

const name = 'service targets'

/** How soon tickets are to be answered and solved, and the working hours in which that time counts. */
export function ServiceTargetsPage() {
  const query = useQuery(queryOptionsFor(serviceTargets.show))
  return (
    <SettingsPage query={query} may={useMay(serviceTargets.show)} name={name}>
      {(stored) => <TargetsForm key={stored.version} stored={stored} />}
    </SettingsPage>
  )
}

function TargetsForm({ stored }: { stored: StoredTargets }) {
  const { send } = useSend(serviceTargets.change, { failure: 'throw' })
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
  return (
    <SettingsForm form={form} name={name} note="Changes apply to targets that start from now on.">
      <TargetTable form={form} />
      <div className={classes.half}>
        <HoursTable form={form}>
          <Zone form={form} />
        </HoursTable>
        <Holidays form={form} />
      </div>
    </SettingsForm>
  )
}

function Zone({ form: { fields } }: { form: DraftForm<Values> }) {
  const { zone } = fields.getValues()
  const zones = offeredZones.some((one) => one === zone) ? [...offeredZones] : [zone, ...offeredZones]
  return <NativeSelect label="Time zone" data={zones} {...fields.getInputProps('zone')} data-path="zone" />
}
