import { useState } from 'react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { CategoryField } from '#features/cms/articles/categories/web/CategoryField.tsx'
import { findCategoriesForFaq } from '#features/cms/articles/categories/web/findCategories.ts'
import { faqCategories } from '#features/cms/articles/faq-categories/contract.ts'
import { FaqChange, faqs, NewFaq, type Faq } from '#features/cms/articles/faqs/contract.ts'
import { faqFields } from '#features/cms/articles/faqs/fields.ts'
import { faqLists, useWhyNotFaq } from '#features/cms/articles/faqs/web/FaqActions.tsx'
import { PictureDialog } from '#features/cms/articles/media/web/PictureDialog.tsx'
import { useLinksToPosts } from '#features/cms/articles/posts/web/useLinksToPosts.tsx'
import { policies } from '#features/cms/articles/rules.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { FilesField } from '#web/files/FilesField.tsx'
import { TextField } from '#web/form/inputs.tsx'
import { fieldValues, type FieldValues } from '#web/form/fieldValues.ts'
import { FormPage } from '#web/form/FormPage.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { useRecordSnapshot } from '#web/form/useRecordSnapshot.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { RecordPage } from '#web/record/RecordPage.tsx'
import { changesBetween, useMerged } from '#web/record/useMerged.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { RichTextField } from '#web/richtext/RichTextField.tsx'
import { Presence } from '#web/record/Presence.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { toast } from '#web/message/toast.ts'

const parents = [['/faqs', 'FAQs']] as const
const addressOf = (slug: string) => `/faqs/${encodeURIComponent(slug)}`

type Values = FieldValues<typeof faqFields>

const valuesOf = (faq: Faq): Values => ({
  ...fieldValues(faqFields, faq),
  video_ids: faq.video_file ? [faq.video_file.id] : [],
})
const toSend = ({ category_id, ...values }: Values) => ({
  ...values,
  category_id: category_id === '' ? ('' as const) : Number(category_id),
})

export function NewFaqPage() {
  const navigate = useNavigate()
  const [made, setMade] = useState('')
  const { send } = useSend(faqs.create, { refresh: [...faqLists, faqCategories.list], failure: 'throw' })
  const whyNotSave = useWhyNotSave(faqs.create)
  const form = useDraftForm<Values>({
    name: 'faq-new',
    initial: fieldValues(faqFields),
    schema: NewFaq,
    toSend,
    onSave: async (values) => {
      const reply = await send({ body: toSend(values) as never })
      if (!reply) return
      toast.success(reply.message)
      setMade(reply.data.slug)
      void navigate({ to: addressOf(reply.data.slug), ignoreBlocker: true })
    },
  })
  return (
    <>
      <PageHeader parents={parents} />
      <FormPage
        label="New FAQ"
        form={form}
        whyNotSave={made === '' ? whyNotSave : undefined}
        saveLabel="Create FAQ"
        onCancel={() => void navigate({ to: '/faqs' })}
      >
        <Fields form={form} />
      </FormPage>
    </>
  )
}

/** Page for editing the FAQ identified by the URL. */
export function EditFaqPage() {
  const { FAQ = '' } = useParams({ strict: false }) as { FAQ?: string }
  return (
    <RecordPage<{ data: Faq }> asked={queryOptionsFor(faqs.show, { params: { slug: FAQ } })} title="Edit FAQ">
      {({ data }) => <EditFaq key={data.id} faq={data} />}
    </RecordPage>
  )
}

function EditFaq({ faq }: { faq: Faq }) {
  const navigate = useNavigate()
  const { record, stored, newer } = useRecordSnapshot(faq, valuesOf)
  const { send } = useSend(faqs.update, { refresh: [...faqLists, faqCategories.list], failure: 'throw' })
  const { announceAct } = useUndo(faqLists)
  const { save, dialog } = useMerged<Partial<ReturnType<typeof toSend>>>(
    { ...toSend(stored), ...record },
    faq.title,
    faqFields,
  )
  const revoked = useWhyNotSave(faqs.update)
  const policy = useWhyNotFaq(policies.faq.update, faq)
  const form = useDraftForm<Values>({
    name: `faq-${faq.id}`,
    initial: stored,
    newer,
    schema: FaqChange,
    toSend,
    onSave: async (values) => {
      await save(
        changesBetween(toSend(stored), toSend(values)),
        async (left, seen) => {
          const reply = await send({ params: { slug: String(faq.id) }, body: { ...left, ...seen } as never })
          if (!reply) return
          announceAct(reply.message, reply.operation)
          void navigate({ to: addressOf(reply.data.slug), ignoreBlocker: true })
        },
        form.outdated,
      )
    },
  })
  return (
    <>
      <PageHeader title={faq.title} parents={[...parents, [addressOf(faq.slug), 'FAQ']]}>
        <Presence type="faq" id={faq.id} />
      </PageHeader>
      <FormPage
        label={`Edit ${faq.title}`}
        form={form}
        whyNotSave={revoked ?? policy}
        onCancel={() => void navigate({ to: addressOf(faq.slug) })}
      >
        <Fields form={form} slug={faq.slug} />
      </FormPage>
      {dialog}
    </>
  )
}

function Fields({ form: { fields }, slug }: { form: DraftForm<Values>; slug?: string }) {
  const links = useLinksToPosts()
  return (
    <>
      <TextField
        form={fields}
        name="title"
        label={faqFields.title.label}
        required
        autoFocus
        maxLength={300}
      />
      <div data-half>
        <CategoryField
          label={faqFields.category_id.label}
          required
          none="Choose a category"
          find={findCategoriesForFaq}
          {...fields.getInputProps('category_id')}
          data-path="category_id"
        />
      </div>
      <div data-half>
        <TextField
          form={fields}
          name="order_number"
          label={faqFields.order_number.label}
          maxLength={7}
          description="Position in the category. Leave empty to add it last."
        />
      </div>
      <RichTextField
        label={faqFields.body.label}
        PictureDialog={PictureDialog}
        links={links}
        {...fields.getInputProps('body')}
      />
      <TextField form={fields} name="video" label="Video URL" type="url" maxLength={2000} />
      <FilesField
        label="Video file (MP4 or WebM)"
        most={1}
        kinds={['video']}
        {...fields.getInputProps('video_ids')}
      />
      <TextField
        form={fields}
        name="slug"
        label={faqFields.slug.label}
        maxLength={150}
        description={
          slug === undefined
            ? 'Leave empty to generate it from the question.'
            : `Currently /faqs/${slug}. Old slugs keep working.`
        }
      />
    </>
  )
}
