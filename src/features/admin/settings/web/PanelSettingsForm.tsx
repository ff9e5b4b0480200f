import { z } from 'zod'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { panelSettings, SettingsChange, type PanelSettings } from '#features/admin/settings/contract.ts'
import classes from '#features/admin/settings/web/settings.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { ChoiceField, TextField } from '#web/form/inputs.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { Loaded } from '#web/list/states.tsx'
import { useChanged } from '#web/live.ts'
import { toast } from '#web/message/toast.ts'

type Values = Record<string, string>

const valuesOf = (settings: PanelSettings): Values => ({
  trial_days: String(settings.trial_days),
  reminder_days: settings.reminder_days.join(', '),
  start: settings.working_hours.start,
  end: settings.working_hours.end,
  copyright: settings.copyright,
  ...Object.fromEntries(
    settings.products.flatMap(({ id, name, status, credentials_url, posts_url }) => [
      [`name_${id}`, name],
      [`status_${id}`, String(status)],
      [`credentials_url_${id}`, credentials_url],
      [`posts_url_${id}`, posts_url],
    ]),
  ),
})

const toSend =
  ({ products }: PanelSettings, mine: readonly number[]) =>
  (values: Values) => ({
    products: products
      .filter(({ id }) => mine.includes(id))
      .map(({ id }) => ({
        id,
        name: values[`name_${id}`]!,
        status: Number(values[`status_${id}`]) as 0 | 1,
        credentials_url: values[`credentials_url_${id}`]!,
        posts_url: values[`posts_url_${id}`]!,
      })),
    trial_days: Number(values['trial_days']),
    reminder_days: values['reminder_days']!.split(/[\s,]+/)
      .filter(Boolean)
      .map(Number),
    working_hours: { start: values['start']!, end: values['end']! },
    copyright: values['copyright']!,
  })

/**
 * The contract's rules, with each error assigned to this form's field: the form flattens data that is nested
 * in the request.
 */
const FormRules = z.unknown().superRefine((sent, context) => {
  for (const { path, message } of SettingsChange.safeParse(sent).error?.issues ?? [])
    context.addIssue({ code: 'custom', message, path: [fieldOf(path, sent as SettingsChange)] })
})

function fieldOf([first, second, third]: readonly PropertyKey[], { products = [] }: SettingsChange): string {
  if (first === 'working_hours') return String(second)
  if (first === 'products') return `${String(third)}_${products[Number(second)]?.id}`
  return String(first)
}

/** Form for the panel's settings; changes take effect immediately, in every open tab. */
export function PanelSettingsForm({ mine }: { mine: readonly number[] }) {
  const settings = useQuery(queryOptionsFor(panelSettings.show))
  useChanged('settings', [panelSettings.show])
  return (
    <Loaded query={settings} skeleton={<p role="status">Loading…</p>}>
      {({ data }) => <Form key={JSON.stringify(data)} settings={data} mine={mine} />}
    </Loaded>
  )
}

function Form({ settings, mine }: { settings: PanelSettings; mine: readonly number[] }) {
  const { send } = useSend(panelSettings.change, { refresh: [panelSettings.show], failure: 'throw' })
  const sent = toSend(settings, mine)
  const form = useDraftForm<Values>({
    name: 'panel-settings',
    initial: valuesOf(settings),
    schema: FormRules,
    toSend: sent,
    onSave: async (values) => {
      const reply = await send({ body: sent(values) })
      if (reply) toast.success(reply.message)
    },
  })
  const { fields } = form
  return (
    <form {...form.formProps} className={classes.form} aria-label="Panel settings">
      {settings.products
        .filter(({ id }) => mine.includes(id))
        .map((product) => (
          <ProductFields key={product.id} fields={fields} product={product} />
        ))}
      <fieldset className={classes.group}>
        <legend>Trials and reminders</legend>
        <TextField form={fields} name="trial_days" label="Trial length (days)" required maxLength={3} />
        <TextField
          form={fields}
          name="reminder_days"
          label="Send reminders (days before trial ends)"
          required
          maxLength={60}
          description="Separate days with commas, for example 7, 1, 0."
        />
      </fieldset>
      <fieldset className={classes.group}>
        <legend>Working hours and footer</legend>
        <TextField
          form={fields}
          name="start"
          label="Workday starts"
          required
          maxLength={5}
          placeholder="09:00"
        />
        <TextField form={fields} name="end" label="Workday ends" required maxLength={5} placeholder="17:00" />
        <TextField
          form={fields}
          name="copyright"
          label="Copyright notice"
          maxLength={200}
          description="Leave empty to show the year and provider name."
        />
      </fieldset>
      {form.failure && <p role="alert">{form.failure}</p>}
      <div>
        <Button type="submit" loading={form.saving} disabled={!form.isDirty}>
          Save settings
        </Button>
      </div>
    </form>
  )
}

function ProductFields({
  fields,
  product: { id, name },
}: {
  fields: DraftForm<Values>['fields']
  product: { id: number; name: string }
}) {
  return (
    <fieldset className={classes.group}>
      <legend>{name}</legend>
      <TextField form={fields} name={`name_${id}`} label={`Product ${id} name`} required maxLength={60} />
      <ChoiceField
        form={fields}
        name={`status_${id}`}
        label={`Product ${id} in product switcher`}
        options={[
          { value: '1', label: 'Shown' },
          { value: '0', label: 'Hidden' },
        ]}
      />
      <TextField
        form={fields}
        name={`credentials_url_${id}`}
        label={`Credentials setup URL for product ${id} customers`}
        type="url"
        maxLength={2000}
        placeholder="https://"
      />
      <TextField
        form={fields}
        name={`posts_url_${id}`}
        label={`Public URL of product ${id} posts`}
        type="url"
        maxLength={2000}
        placeholder="https://"
        description="Links to posts in emails lead here, with the post’s slug added. If empty, they are plain text."
      />
    </fieldset>
  )
}
