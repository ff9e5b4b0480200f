import { useState } from 'react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { CategoryField } from '#features/cms/articles/categories/web/CategoryField.tsx'
import { findCategoriesForFaq } from '#features/cms/articles/categories/web/findCategories.ts'
import { FaqChange, faqs, NewFaq, type Faq } from '#features/cms/articles/faqs/contract.ts'
import { faqFields } from '#features/cms/articles/faqs/fields.ts'
import { useWhyNotFaq } from '#features/cms/articles/faqs/web/FaqActions.tsx'
import { PictureDialog } from '#features/cms/articles/media/web/PictureDialog.tsx'
import { useLinksToPosts } from '#features/cms/articles/posts/web/useLinksToPosts.tsx'
import { policies } from '#features/cms/articles/rules.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { FilesField } from '#web/files/FilesField.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormPage } from '#web/form/FormPage.tsx'
import type { FieldsForm } from '#web/form/useFieldsForm.ts'
import { useRecordForm } from '#web/form/useRecordForm.tsx'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { RecordPage } from '#web/record/RecordPage.tsx'
import { RichTextField } from '#web/richtext/RichTextField.tsx'
import { Presence } from '#web/record/Presence.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'

const parents = [['/faqs', 'FAQs']] as const
const addressOf = (slug: string) => `/faqs/${encodeURIComponent(slug)}`

/** Refetched after an FAQ has changed. */

export function NewFaqPage() {
  const navigate = useNavigate()
  const [made, setMade] = useState('')
  const { send } = useSend(faqs.create, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(faqs.create)
  const form = useRecordForm({
    name: 'faq-new',
    fields: faqFields,
    schema: NewFaq,

    create: async (body) => {
      const reply = await send({ body })
      if (!reply) return undefined
      setMade(reply.data.slug)
      void navigate({ to: addressOf(reply.data.slug), ignoreBlocker: true })
      return reply
    },
  })
  return (
    <>
      <PageHeader parents={parents} />
      <FormPage
        label="New FAQ"
        isNew
        form={form}
        whyNotSave={made === '' ? whyNotSave : undefined}
        saveLabel="Create FAQ"
        onCancel={() => void navigate({ to: '/faqs' })}
      >
        <FaqInputs form={form} />
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
  const { send } = useSend(faqs.update, { failure: 'throw' })
  const revoked = useWhyNotSave(faqs.update)
  const policy = useWhyNotFaq(policies.faq.update, faq)
  const form = useRecordForm({
    name: `faq-${faq.id}`,
    fields: faqFields,
    schema: FaqChange,
    record: faq,
    title: faq.title,
    update: async (body) => {
      const reply = await send({ params: { slug: String(faq.id) }, body })
      if (reply) void navigate({ to: addressOf(reply.data.slug), ignoreBlocker: true })
      return reply
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
        <FaqInputs form={form} slug={faq.slug} />
      </FormPage>
    </>
  )
}

function FaqInputs({ form, slug }: { form: FieldsForm<typeof faqFields>; slug?: string }) {
  const links = useLinksToPosts()
  return (
    <>
      <Field form={form} name="title" />
      <div data-half>
        <CategoryField
          {...form.control('category_id')}
          none="Choose a category"
          find={findCategoriesForFaq}
        />
      </div>
      <Field
        form={form}
        name="order_number"
        half
        maxLength={7}
        description="Position in the category. Leave empty to add it last."
      />
      <RichTextField {...form.control('body')} PictureDialog={PictureDialog} links={links} />
      <Field form={form} name="video" label="Video URL" />
      <FilesField
        {...form.control('video_ids')}
        label="Video file (MP4 or WebM)"
        most={1}
        kinds={['video']}
      />
      <Field
        form={form}
        name="slug"
        description={
          slug === undefined
            ? 'Leave empty to generate it from the question.'
            : `Currently /faqs/${slug}. Old slugs keep working.`
        }
      />
    </>
  )
}
