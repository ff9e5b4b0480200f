import { useState, type KeyboardEvent } from 'react'
import { Alert, Button, Switch } from '@mantine/core'
import '@mantine/core/styles/Switch.css'
import IconCode from '@tabler/icons-react/dist/esm/icons/IconCode.mjs'
import { webForms, WebFormInput, type StoredWebForm } from '#features/crm/leads/web-form/contract.ts'
import { FormFields } from '#features/crm/leads/web-form/web/FormFields.tsx'
import { FormPreview } from '#features/crm/leads/web-form/web/FormPreview.tsx'
import { AssignmentPart, ConsentPart, PagePart } from '#features/crm/leads/web-form/web/FormParts.tsx'
import classes from '#features/crm/leads/web-form/web/webForm.module.css'
import { toSend, valuesOf, type WebFormValues } from '#features/crm/leads/web-form/web/webFormValues.ts'
import { useSend } from '#web/api/useSend.ts'
import { RestoredDraft } from '#web/form/FormModal.tsx'
import { SaveBar } from '#web/form/SaveBar.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { useWarnBeforeLeaving } from '#web/form/useWarnBeforeLeaving.ts'
import { toast } from '#web/message/toast.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { FilterTab, FilterTabs } from '#web/parts/Tabs.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const EmbedDialog = lazyPart(() => import('#features/crm/leads/web-form/web/EmbedDialog.tsx'))

interface Props {
  product_id: number
  stored: StoredWebForm
}

/** The settings of a form on the left, and its page as visitors see it on the right. */
export function WebFormEditor({ product_id, stored }: Props) {
  const { send } = useSend(webForms.save, { failure: 'throw' })
  const form = useDraftForm<WebFormValues>({
    name: `web-form-${product_id}`,
    initial: valuesOf(stored),
    schema: WebFormInput,
    toSend,
    onSave: async (values) => {
      const reply = await send({
        params: { product_id },
        body: { ...toSend(values), version: stored.version },
      })
      if (reply) toast.success(reply.message)
    },
  })
  useWarnBeforeLeaving(form)
  // On a phone, either the form or its page is shown.
  const [shows, setShows] = useState<'form' | 'preview'>('form')
  return (
    <>
      <div className={classes.phoneTabs}>
        <FilterTabs label="Shown">
          <FilterTab isCurrent={shows === 'form'} onClick={() => setShows('form')}>
            Form
          </FilterTab>
          <FilterTab isCurrent={shows === 'preview'} onClick={() => setShows('preview')}>
            Preview
          </FilterTab>
        </FilterTabs>
      </div>
      <form
        {...form.formProps}
        onKeyDown={(event) => saveByKey(event, form)}
        className={classes.builder}
        data-shows={shows}
        aria-label="Web form"
      >
        <div className={classes.settings}>
          <EditorHead form={form} stored={stored} />
          <RestoredDraft form={form} />
          <FormFields fields={form.fields} />
          <AssignmentPart fields={form.fields} stored={stored} />
          <PagePart fields={form.fields} stored={stored} />
          <ConsentPart fields={form.fields} stored={stored} />
        </div>
        <FormPreview product_id={product_id} values={form.fields.values} address={stored.address} />
        <div className={classes.saveBar}>
          <SaveBar form={form} save={stored.version === 0 ? 'Create web form' : 'Save web form'}>
            {form.isDirty ? 'Unsaved changes' : 'Visitors see what is saved.'}
          </SaveBar>
        </div>
      </form>
    </>
  )
}

/** Saves the form on Ctrl+S and ⌘+S too. */
function saveByKey(event: KeyboardEvent, form: DraftForm<WebFormValues>): void {
  if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return form.formProps.onKeyDown(event)
  event.preventDefault()
  if (form.isDirty) void form.submit()
}

function EditorHead({ form, stored }: { form: DraftForm<WebFormValues>; stored: StoredWebForm }) {
  const [isEmbedding, setEmbedding] = useState(false)
  const { sent, held, version, address, title, origins, is_on } = stored
  const howOften = sent === 1 ? 'once' : `${sent.toLocaleString('en-US')} times`
  return (
    <>
      <div className={classes.head}>
        <Switch label="On" {...form.fields.getInputProps('is_on', { type: 'checkbox' })} />
        <Soft as="span" small>
          {version === 0
            ? 'Not created yet'
            : `Sent ${howOften} in 30 days, ${held.toLocaleString('en-US')} held as spam`}
        </Soft>
        {address !== null && (
          <Button
            variant="default"
            leftSection={<IconCode size={16} aria-hidden />}
            onClick={() => setEmbedding(true)}
          >
            Embed
          </Button>
        )}
      </div>
      {version > 0 && !is_on && (
        <Alert color="yellow">This form is off. Its page says that the form is closed.</Alert>
      )}
      {isEmbedding && address !== null && (
        <EmbedDialog address={address} title={title} origins={origins} onClose={() => setEmbedding(false)} />
      )}
    </>
  )
}
