import { useState } from 'react'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { widgets, type WidgetSetting } from '#features/admin/settings/widgets.contract.ts'
import classes from '#features/admin/settings/web/settings.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { Loaded } from '#web/list/states.tsx'
import { useChanged } from '#web/live.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { SettingsTabs } from '#web/shell/SettingsTabs.tsx'
import { NoAccess } from '#web/states/NoAccess.tsx'
import { toast } from '#web/message/toast.ts'

/** Page for the scheduling widget of each product. */
export function WidgetPage() {
  const query = useQuery(queryOptionsFor(widgets.list))
  const may = useMay(widgets.list)
  useChanged('settings', may ? [widgets.list] : [])
  return (
    <>
      <PageHeader />
      <SettingsTabs />
      {may ? (
        <Loaded query={query}>
          {({ data }) =>
            data.map((one) => <Widget key={`${one.product_id} ${one.url} ${one.on}`} widget={one} />)
          }
        </Loaded>
      ) : (
        <NoAccess>Ask an Admin for access to the scheduling widgets.</NoAccess>
      )}
    </>
  )
}

function Widget({ widget }: { widget: WidgetSetting }) {
  const { product_id, name } = widget
  const [url, setUrl] = useState(widget.url)
  const [on, setOn] = useState(widget.on)
  const [failure, setFailure] = useState<string>()
  const [preview, setPreview] = useState(false)
  const { send, sending } = useSend(widgets.change, {
    refresh: [widgets.list],
    failure: 'throw',
  })

  async function save(): Promise<void> {
    try {
      const reply = await send({ body: { product_id, url, on } })
      setFailure(undefined)
      if (reply) toast.success(reply.message)
    } catch (error) {
      setFailure(errorMessageOf(error))
    }
  }

  return (
    <form
      className={classes.form}
      aria-label={`${name} scheduling widget`}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <fieldset className={classes.group}>
        <legend>{name}</legend>
        <TextInput
          label={`${name} widget URL`}
          type="url"
          placeholder="https://"
          maxLength={2000}
          value={url}
          error={failure}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <Checkbox
          label="On"
          aria-label={`${name} widget on`}
          checked={on}
          onChange={(event) => setOn(event.currentTarget.checked)}
        />
        <div className={classes.buttons}>
          <Button type="submit" size="xs" loading={sending} disabled={url === widget.url && on === widget.on}>
            Save
          </Button>
          <Button size="xs" variant="default" disabled={!widget.on} onClick={() => setPreview(!preview)}>
            {preview ? 'Hide preview' : 'Preview'}
          </Button>
        </div>
        {preview && (
          <>
            <p>If you just turned this widget on, reload the page to see it.</p>
            <iframe
              title={`${name} widget preview`}
              src={widget.url}
              sandbox="allow-scripts allow-forms"
              referrerPolicy="no-referrer"
              className={classes.frame}
            />
          </>
        )}
      </fieldset>
    </form>
  )
}
