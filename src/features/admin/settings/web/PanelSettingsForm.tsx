import { z } from 'zod'
import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { panelSettings, SettingsChange, type PanelSettings } from '#features/admin/settings/contract.ts'
import { generalLabels } from '#features/admin/settings/web/generalLabels.ts'
import classes from '#features/admin/settings/web/settings.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { errorsOf } from '#web/form/errors.ts'
import { ChoiceField, TextField } from '#web/form/inputs.tsx'
import { SaveBar } from '#web/form/SaveBar.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { Loaded } from '#web/list/states.tsx'
import { toast } from '#web/message/toast.ts'

type Values = Record<string, string>

const valuesOf = (settings: PanelSettings): Values => ({
  trial_days: String(settings.trial_days),
  reminder_days: settings.reminder_days.join(', '),
  start: settings.working_hours.start,
  end: settings.working_hours.end,
  copyright: settings.copyright,
  reply_assigns: settings.reply_assigns ? '1' : '0',
  confirms_tickets: settings.confirms_tickets ? '1' : '0',
  asks_rating: settings.asks_rating ? '1' : '0',
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
    reply_assigns: values['reply_assigns'] === '1',
    confirms_tickets: values['confirms_tickets'] === '1',
    asks_rating: values['asks_rating'] === '1',
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

type Tab = 'general' | 'products'

interface Props {
  /** IDs of the viewer's products, whose settings are shown. */
  mine: readonly number[]
  tab: Tab
}

/** Form for the panel's settings; changes take effect immediately, in every open tab. */
export function PanelSettingsForm(props: Props) {
  const settings = useQuery(queryOptionsFor(panelSettings.show))
  return (
    <Loaded query={settings}>
      {({ data, warnings }) => (
        <>
          {warnings.map((warning) => (
            <Alert key={warning} color="yellow" mb="md">
              {warning}
            </Alert>
          ))}
          <Form key={JSON.stringify(data)} settings={data} {...props} />
        </>
      )}
    </Loaded>
  )
}

function Form({ settings, mine, tab }: Props & { settings: PanelSettings }) {
  const { send } = useSend(panelSettings.change, { failure: 'throw' })
  const sent = toSend(settings, mine)
  const form = useDraftForm<Values>({
    name: 'panel-settings',
    initial: valuesOf(settings),
    schema: FormRules,
    toSend: sent,
    // An error next to a field of the other tab isn't visible.
    sayWhatIsMissing: (values) => {
      const hidden = Object.keys(errorsOf(FormRules, sent(values))).filter(
        (name) => name in generalLabels !== (tab === 'general'),
      )
      const labels = new Set(hidden.map((name) => labelOf(name, settings)))
      return labels.size === 0 ? undefined : `Correct ${[...labels].join(', ')} in the other tab.`
    },
    onSave: async (values) => {
      const reply = await send({ body: sent(values) })
      if (reply) toast.success(reply.message)
    },
  })
  const { fields } = form
  return (
    <form {...form.formProps} className={classes.form} aria-label="Panel settings">
      {tab === 'general' ? (
        <GeneralFields fields={fields} />
      ) : (
        settings.products
          .filter(({ id }) => mine.includes(id))
          .map((product) => <ProductFields key={product.id} fields={fields} product={product} />)
      )}
      <SaveBar form={form} save="Save settings">
        {unsavedText(form, settings)}
      </SaveBar>
    </form>
  )
}

type Fields = DraftForm<Values>['fields']

function GeneralFields({ fields }: { fields: Fields }) {
  const { copyright, start, end, trial_days, reminder_days } = generalLabels
  return (
    <>
      <fieldset className={classes.card}>
        <legend>Panel</legend>
        <TextField
          form={fields}
          name="copyright"
          label={copyright}
          maxLength={200}
          description="Leave empty to show the year and provider name."
        />
        <TextField
          form={fields}
          name="start"
          label={start}
          required
          maxLength={5}
          placeholder="09:00"
          description="Working hours are shown in the schedule and the delivery calendar."
        />
        <TextField form={fields} name="end" label={end} required maxLength={5} placeholder="17:00" />
      </fieldset>
      <fieldset className={classes.card}>
        <legend>Trials</legend>
        <TextField
          form={fields}
          name="trial_days"
          label={trial_days}
          required
          maxLength={3}
          description="In days, for new trials only."
        />
        <TextField
          form={fields}
          name="reminder_days"
          label={reminder_days}
          required
          maxLength={60}
          description="Days before the trial ends, separated by commas. Sent to the account owner."
        />
      </fieldset>
      <SupportFields fields={fields} />
    </>
  )
}

function SupportFields({ fields }: { fields: Fields }) {
  const { reply_assigns, confirms_tickets, asks_rating } = generalLabels
  return (
    <fieldset className={classes.card}>
      <legend>Support</legend>
      <ChoiceField
        form={fields}
        name="reply_assigns"
        label={reply_assigns}
        options={[
          { value: '1', label: 'Assign the ticket to the author' },
          { value: '0', label: 'Leave the ticket unassigned' },
        ]}
      />
      <ChoiceField
        form={fields}
        name="confirms_tickets"
        label={confirms_tickets}
        description="Emails that machines send get no confirmation."
        options={[
          { value: '0', label: 'Send no confirmation' },
          { value: '1', label: 'Confirm them by an email with their number' },
        ]}
      />
      <ChoiceField
        form={fields}
        name="asks_rating"
        label={asks_rating}
        description="The email ends with the question. Its links work for 30 days."
        options={[
          { value: '0', label: 'Don’t ask customers' },
          { value: '1', label: 'Ask in replies that resolve a ticket' },
        ]}
      />
    </fieldset>
  )
}

function ProductFields({
  fields,
  product: { id, name },
}: {
  fields: Fields
  product: { id: number; name: string }
}) {
  return (
    <fieldset className={classes.card}>
      <legend>{name}</legend>
      <TextField form={fields} name={`name_${id}`} label={`Product ${id} name`} required maxLength={60} />
      <TextField
        form={fields}
        name={`credentials_url_${id}`}
        label={`Credentials setup URL for product ${id} customers`}
        type="url"
        maxLength={2000}
        placeholder="https://"
        description="Without a URL, the credentials email asks the customer to reply."
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
      <ChoiceField
        form={fields}
        name={`status_${id}`}
        label={`Product ${id} in product switcher`}
        options={[
          { value: '1', label: 'Shown' },
          { value: '0', label: 'Hidden' },
        ]}
      />
    </fieldset>
  )
}

/** Says what isn't saved, in both tabs. */
function unsavedText({ fields }: DraftForm<Values>, settings: PanelSettings): string {
  const unsaved = Object.keys(fields.values).filter((name) => fields.isDirty(name))
  if (unsaved.length === 0) return 'Changes take effect immediately in every open tab.'
  const labels = [...new Set(unsaved.map((name) => labelOf(name, settings)))]
  return `${unsaved.length} unsaved ${unsaved.length === 1 ? 'change' : 'changes'} in ${labels.join(', ')}`
}

/** Returns the label of a general setting, or the name of the product that a setting belongs to. */
const labelOf = (name: string, { products }: PanelSettings): string =>
  name in generalLabels
    ? generalLabels[name as keyof typeof generalLabels]
    : (products.find(({ id }) => name.endsWith(`_${id}`))?.name ?? name)
