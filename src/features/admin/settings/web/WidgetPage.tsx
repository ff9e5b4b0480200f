import { useState } from 'react'
import { z } from 'zod'
import { Button, Switch } from '@mantine/core'
import '@mantine/core/styles/Switch.css'
import { useQuery } from '@tanstack/react-query'
import { WidgetChange, widgets, type WidgetSetting } from '#features/admin/settings/widgets.contract.ts'
import classes from '#features/admin/settings/web/settings.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { TextField } from '#web/form/inputs.tsx'
import { SaveBar } from '#web/form/SaveBar.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { Loaded } from '#web/list/states.tsx'
import { toast } from '#web/message/toast.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { SettingsTabs } from '#web/shell/SettingsTabs.tsx'
import { NoAccess } from '#web/states/NoAccess.tsx'
import { productColor } from '#web/theme.ts'

/** Page for the scheduling widget of each product. */
export function WidgetPage() {
  const query = useQuery(queryOptionsFor(widgets.list))
  const may = useMay(widgets.list)
  return (
    <>
      <PageHeader />
      <SettingsTabs />
      {may ? (
        <Loaded query={query}>
          {({ data }) => (
            <WidgetForm key={JSON.stringify(data)} all={data} onSaved={() => void query.refetch()} />
          )}
        </Loaded>
      ) : (
        <NoAccess>Ask an Admin for access to the scheduling widgets.</NoAccess>
      )}
    </>
  )
}

/** The fields of all products: `url_1` and `on_1` are those of product 1. */
type Values = Record<string, string | boolean>

const changesOf = (all: readonly WidgetSetting[], values: Values) =>
  all
    .map(({ product_id, url, on }) => ({
      change: {
        product_id,
        url: String(values[`url_${product_id}`]),
        on: values[`on_${product_id}`] === true,
      },
      before: { url, on },
    }))
    .filter(({ change, before }) => change.url !== before.url || change.on !== before.on)
    .map(({ change }) => change)

/** The rules of each changed widget, with their errors at its URL. */
const FormRules = z.unknown().superRefine((sent, context) => {
  for (const change of sent as ReturnType<typeof changesOf>)
    for (const { message } of WidgetChange.safeParse(change).error?.issues ?? [])
      context.addIssue({ code: 'custom', message, path: [`url_${change.product_id}`] })
})

function WidgetForm({ all, onSaved }: { all: readonly WidgetSetting[]; onSaved: () => void }) {
  const { send } = useSend(widgets.change, { failure: 'throw' })
  const form = useDraftForm<Values>({
    name: 'scheduling-widgets',
    initial: Object.fromEntries(
      all.flatMap(({ product_id, url, on }): [string, string | boolean][] => [
        [`url_${product_id}`, url],
        [`on_${product_id}`, on],
      ]),
    ),
    schema: FormRules,
    toSend: (values) => changesOf(all, values),
    onSave: async (values) => {
      const replies = []
      try {
        for (const body of changesOf(all, values)) replies.push(await send({ body }))
      } finally {
        // Also if a later one was refused: the form then starts from those that were saved.
        if (replies.length > 0) onSaved()
      }
      const message = replies.at(-1)?.message
      if (message) toast.success(message)
    },
  })
  return (
    <form {...form.formProps} className={classes.form} aria-label="Scheduling">
      <fieldset className={classes.widgets}>
        <legend>Scheduling widgets</legend>
        {all.map((one) => (
          <Widget key={one.product_id} widget={one} fields={form.fields} />
        ))}
      </fieldset>
      <SaveBar form={form} save="Save settings">
        Offered when someone emails a meeting link.
      </SaveBar>
    </form>
  )
}

interface WidgetProps {
  widget: WidgetSetting
  fields: DraftForm<Values>['fields']
}

function Widget({ widget: { product_id, name, url, on }, fields }: WidgetProps) {
  const [preview, setPreview] = useState(false)
  const isOn = fields.values[`on_${product_id}`] === true
  return (
    <div className={classes.widget} style={{ '--product': productColor(product_id) }}>
      <span className={classes.dot} aria-hidden />
      <TextField
        form={fields}
        name={`url_${product_id}`}
        label={`${name} widget URL`}
        type="url"
        placeholder="https://"
        maxLength={2000}
      />
      <Switch
        label={isOn ? 'On' : 'Off'}
        aria-label={`${name} widget on`}
        {...fields.getInputProps(`on_${product_id}`, { type: 'checkbox' })}
      />
      {on && (
        <Button
          size="xs"
          variant="default"
          aria-expanded={preview}
          aria-label={`${preview ? 'Hide preview' : 'Preview'} of ${name} widget`}
          onClick={() => setPreview(!preview)}
        >
          {preview ? 'Hide preview' : 'Preview'}
        </Button>
      )}
      {preview && (
        <>
          <Soft small>If you just turned this widget on, reload the page to see it.</Soft>
          <iframe
            title={`${name} widget preview`}
            src={url}
            sandbox="allow-scripts allow-forms"
            referrerPolicy="no-referrer"
            className={classes.frame}
          />
        </>
      )}
    </div>
  )
}
