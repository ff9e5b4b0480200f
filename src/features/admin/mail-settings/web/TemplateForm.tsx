import { Suspense, useRef, useState } from 'react'
import { Button } from '@mantine/core'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs'
import { TemplatePreview } from '#features/admin/mail-settings/web/TemplatePreview.tsx'
import classes from '#features/admin/mail-settings/web/templates.module.css'
import {
  mailTemplates,
  TemplateInput,
  type Template,
} from '#features/admin/mail-settings/templates.contract.ts'
import { kindOfTemplate } from '#shared/mail-templates.ts'
import { templateErrors } from '#shared/template-variables.ts'
import { useSend } from '#web/api/useSend.ts'
import { TextField } from '#web/form/inputs.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { InnerContext } from '#web/form/inner.ts'
import { useWarnBeforeLeaving } from '#web/form/useWarnBeforeLeaving.ts'
import { askToProceed } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'
import { RightModal } from '#web/parts/RightModal.tsx'
import { RichTextField } from '#web/richtext/RichTextField.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const TemplateVersions = lazyPart(() => import('#features/admin/mail-settings/web/TemplateVersions.tsx'))

interface Props {
  template: Template
  onSaved: (template: Template) => void
}

interface Values {
  name: string
  subject: string
  content: string
}

function useTemplateForm({ template, onSaved }: Props) {
  const { id, kind, product_id } = template
  // Kept from when the form was opened, so that a version saved by someone else since is a conflict.
  const [version] = useState(template.version)
  const which = { kind, product_id, id }
  const isComposer = kind === 'composer'
  const { send } = useSend(mailTemplates.save, { failure: 'throw' })
  const toSend = (values: Values) => ({ ...values, name: isComposer ? values.name : '', ...which, version })
  const form = useDraftForm<Values>({
    name: `mail-template-${kind}-${product_id ?? 0}-${id ?? 0}`,
    initial: {
      name: isComposer && id !== null ? template.name : '',
      subject: template.subject,
      content: template.content,
    },
    schema: TemplateInput,
    toSend,
    onSave: async (values) => {
      const reply = await send({ body: toSend(values) })
      if (!reply) return
      toast.success(reply.message)
      form.discard()
      onSaved(reply.data)
    },
  })
  useWarnBeforeLeaving(form)
  return { form, which, version, isComposer }
}

/** The text of one kind of email, with its variables and its preview. */
export function TemplateForm({ template, onSaved }: Props) {
  const { form, which, version, isComposer } = useTemplateForm({ template, onSaved })
  const insert = useRef<(text: string) => void>(undefined)
  const [shows, setShows] = useState<'versions' | 'preview'>()
  const { fields } = form
  const { subject, content } = fields.getValues()
  const wrong = templateErrors(which.kind, { subject, content })
  const preview = <TemplatePreview which={which} subject={subject} content={content} />
  return (
    <>
      <form
        {...form.formProps}
        className={classes.editor}
        aria-label={template.name}
        onKeyDown={(event) => {
          if ((event.ctrlKey || event.metaKey) && event.key === 's') {
            event.preventDefault()
            void form.submit()
          } else form.formProps.onKeyDown(event)
        }}
      >
        <InnerContext value={form.inner.tell}>
          <div className={classes.scroll}>
            <Heading template={template} onShow={setShows} />
            {isComposer && <TextField form={fields} name="name" label="Name" required maxLength={80} />}
            <TextField form={fields} name="subject" label="Subject" required maxLength={300} />
            <RichTextField
              label="Text"
              required
              sendPicture={null}
              insertRef={insert}
              {...fields.getInputProps('content')}
            />
            <p className={classes.check} role="status">
              {wrong.subject ??
                wrong.content ??
                'All variables exist. Nothing is added before or after this text.'}
            </p>
            <Variables kind={which.kind} onInsert={(name) => insert.current?.(`{{${name}}}`)} />
          </div>
          <Actions form={form} which={which} version={version} name={template.name} onRemoved={onSaved} />
        </InnerContext>
      </form>
      <div className={classes.preview}>{preview}</div>
      {shows === 'preview' && (
        <RightModal title="Preview" size={720} onClose={() => setShows(undefined)}>
          {preview}
        </RightModal>
      )}
      {shows === 'versions' && (
        <Suspense>
          <TemplateVersions
            template={template}
            version={version}
            onClose={() => setShows(undefined)}
            onRestored={(data) => {
              form.discard()
              onSaved(data)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

interface HeadingProps {
  template: Template
  onShow: (what: 'versions' | 'preview') => void
}

const Heading = ({ template: { kind, id, name, version, versions }, onShow }: HeadingProps) => (
  <p className={classes.heading}>
    <strong>{kind === 'composer' && id === null ? 'New template' : name}</strong>
    {versions.length > 0 && (
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconHistory size={14} stroke={1.5} aria-hidden />}
        onClick={() => onShow('versions')}
      >
        {version === 0 ? 'Shipped' : `Version ${version}`}
      </Button>
    )}
    <Button
      size="compact-sm"
      variant="default"
      className={classes.previewButton}
      onClick={() => onShow('preview')}
    >
      Preview
    </Button>
  </p>
)

interface ActionsProps {
  form: DraftForm<Values>
  which: Pick<Template, 'kind' | 'product_id' | 'id'>
  version: number
  name: string
  onRemoved: (template: Template) => void
}

function Actions({ form, which, version, name, onRemoved }: ActionsProps) {
  const { send, sending } = useSend(mailTemplates.test, {
    onDone: ({ message }) => toast.success(message),
  })
  return (
    <div className={classes.actions}>
      <span role={form.failure ? 'alert' : undefined}>
        {form.failure ?? (form.isDirty ? 'Unsaved changes' : '')}
      </span>
      {which.kind === 'composer' && which.id !== null && (
        <RemoveTemplate id={which.id} name={name} onRemoved={onRemoved} />
      )}
      <Button
        size="xs"
        variant="default"
        loading={sending}
        leftSection={<IconSend size={14} stroke={1.5} aria-hidden />}
        onClick={() => {
          form.inner.flushPendingInput()
          void send({ body: { ...which, ...textOf(form.fields.getValues()) } })
        }}
      >
        Test to me
      </Button>
      <Button type="submit" size="xs" loading={form.saving} disabled={form.saveBlockedReason !== undefined}>
        {`Save version ${version + 1}`}
      </Button>
    </div>
  )
}

const textOf = ({ subject, content }: Values) => ({ subject, content })

interface VariablesProps {
  kind: Template['kind']
  onInsert: (name: string) => void
}

function Variables({ kind, onInsert }: VariablesProps) {
  return (
    <section aria-label="Variables">
      <h3 className={classes.subtitle}>Variables</h3>
      <ul className={classes.variables}>
        {Object.entries(kindOfTemplate(kind).variables).map(([name, { label }]) => (
          <li key={name}>
            <button type="button" title={`Insert {{${name}}}`} onClick={() => onInsert(name)}>
              {`{{${name}}}`}
            </button>
            <span>{label}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface RemoveProps {
  id: number
  name: string
  onRemoved: (template: Template) => void
}

function RemoveTemplate({ id, name, onRemoved }: RemoveProps) {
  const { send, sending } = useSend(mailTemplates.remove, {
    onDone: ({ message }) => toast.success(message),
  })
  async function remove(): Promise<void> {
    if (
      !(await askToProceed(`Remove “${name}”?`, {
        detail: 'Emails that were sent with it stay as they are.',
      }))
    )
      return
    if (await send({ body: { id } })) onRemoved({ id: null } as Template)
  }
  return (
    <Button size="xs" variant="default" loading={sending} onClick={() => void remove()}>
      Remove
    </Button>
  )
}
