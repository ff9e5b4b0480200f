import { useQuery } from '@tanstack/react-query'
import { CategoryField } from '#features/cms/articles/categories/web/CategoryField.tsx'
import { findFaqCategories } from '#features/cms/articles/categories/web/findCategories.ts'
import {
  FaqCategoryChange,
  faqCategories,
  NewFaqCategory,
  type FaqCategory,
} from '#features/cms/articles/faq-categories/contract.ts'
import { faqCategoryFields } from '#features/cms/articles/faq-categories/fields.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { LongTextField, TextField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { LoadedInModal } from '#web/form/LoadedInModal.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { useRecordSnapshot } from '#web/form/useRecordSnapshot.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { useMerged } from '#web/record/useMerged.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { toast } from '#web/message/toast.ts'

interface Props {
  /** Absent for a new category. */
  id?: number
  onClose: () => void
}

type Values = Record<'title' | 'slug' | 'description' | 'parent_id', string>

const valuesOf = (category?: FaqCategory): Values => ({
  title: category?.title ?? '',
  slug: category?.slug ?? '',
  description: category?.description ?? '',
  parent_id: String(category?.parent_id ?? ''),
})
const toSend = ({ parent_id, ...values }: Values) => ({
  ...values,
  parent_id: parent_id === '' ? null : Number(parent_id),
})
const refresh = [faqCategories.list, faqCategories.show, faqCategories.search, faqCategories.lookup]

/** Modal for creating or editing a category of FAQs. */
export default function FaqCategoryForm({ id, onClose }: Props) {
  const query = useQuery({
    ...queryOptionsFor(faqCategories.show, { params: { id: String(id) } }),
    enabled: id !== undefined,
  })
  if (id === undefined) return <NewForm onClose={onClose} />
  return (
    <LoadedInModal query={query} title="Edit FAQ category" onClose={onClose}>
      {({ data }) => <EditForm key={data.id} category={data} onClose={onClose} />}
    </LoadedInModal>
  )
}

function NewForm({ onClose }: { onClose: () => void }) {
  const { send } = useSend(faqCategories.create, { refresh, failure: 'throw' })
  const whyNotSave = useWhyNotSave(faqCategories.create, { body: { title: '' } })
  const form = useDraftForm<Values>({
    name: 'faq-category-new',
    initial: valuesOf(),
    schema: NewFaqCategory,
    toSend,
    onSave: async (values) => {
      const reply = await send({ body: toSend(values) })
      if (reply) toast.success(reply.message)
    },
    onSaved: onClose,
  })
  return (
    <FormModal
      title="New FAQ category"
      form={form}
      onClose={onClose}
      whyNotSave={whyNotSave}
      saveLabel="Create category"
      side="right"
    >
      <Fields form={form} />
    </FormModal>
  )
}

function EditForm({ category, onClose }: { category: FaqCategory; onClose: () => void }) {
  const { record, stored, newer } = useRecordSnapshot(category, valuesOf)
  const { send } = useSend(faqCategories.update, { refresh, failure: 'throw' })
  const { announceAct } = useUndo(refresh)
  const { save, dialog } = useMerged<Partial<ReturnType<typeof toSend>>>(
    record,
    category.title,
    faqCategoryFields,
  )
  const params = { id: String(category.id) }
  const whyNotSave = useWhyNotSave(faqCategories.update, { params, body: {} })
  const form = useDraftForm<Values>({
    name: `faq-category-${category.id}`,
    initial: stored,
    newer,
    schema: FaqCategoryChange,
    toSend,
    onSave: async (values) => {
      const [next, before] = [toSend(values), toSend(stored)]
      const changes = Object.fromEntries(
        Object.entries(next).filter(([name, value]) => value !== before[name as keyof typeof before]),
      )
      await save(
        changes,
        async (left, seen) => {
          const reply = await send({ params, body: { ...left, ...seen } })
          if (reply) announceAct(reply.message, reply.operation)
        },
        form.outdated,
      )
    },
    onSaved: onClose,
  })
  return (
    <>
      <FormModal
        title={`Edit ${category.title}`}
        form={form}
        onClose={onClose}
        whyNotSave={whyNotSave}
        side="right"
      >
        <Fields form={form} own={category.id} />
      </FormModal>
      {dialog}
    </>
  )
}

function Fields({ form: { fields }, own }: { form: DraftForm<Values>; own?: number }) {
  return (
    <>
      <TextField
        form={fields}
        name="title"
        label={faqCategoryFields.title.label}
        required
        autoFocus
        maxLength={200}
      />
      <TextField
        form={fields}
        name="slug"
        label={faqCategoryFields.slug.label}
        maxLength={150}
        description="Leave empty to generate it from the title. Old slugs keep working."
      />
      <CategoryField
        label={faqCategoryFields.parent_id.label}
        clearable
        none="None (top level)"
        find={findFaqCategories(own === undefined ? {} : { current: own })}
        {...fields.getInputProps('parent_id')}
        data-path="parent_id"
      />
      <LongTextField
        form={fields}
        name="description"
        label={faqCategoryFields.description.label}
        maxLength={10_000}
      />
    </>
  )
}
