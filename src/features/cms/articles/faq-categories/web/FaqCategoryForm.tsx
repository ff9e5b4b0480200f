import { useQuery } from '@tanstack/react-query'
import { CategoryField } from '#features/cms/articles/categories/web/CategoryField.tsx'
import { findFaqCategories } from '#features/cms/articles/categories/web/findCategories.ts'
import { slugHint } from '#features/cms/articles/categories/web/slugHint.ts'
import {
  FaqCategoryChange,
  faqCategories,
  NewFaqCategory,
  type FaqCategory,
} from '#features/cms/articles/faq-categories/contract.ts'
import { faqCategoryFields } from '#features/cms/articles/faq-categories/fields.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { LoadedInModal } from '#web/form/LoadedInModal.tsx'
import type { FieldsForm } from '#web/form/useFieldsForm.ts'
import { useRecordForm } from '#web/form/useRecordForm.tsx'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'

interface Props {
  /** Absent for a new category. */
  id?: number
  onClose: () => void
}

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
  const { send } = useSend(faqCategories.create, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(faqCategories.create, { body: { title: '' } })
  const form = useRecordForm({
    name: 'faq-category-new',
    fields: faqCategoryFields,
    schema: NewFaqCategory,

    create: (body) => send({ body }),
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
      <FaqCategoryInputs form={form} />
    </FormModal>
  )
}

function EditForm({ category, onClose }: { category: FaqCategory; onClose: () => void }) {
  const { send } = useSend(faqCategories.update, { failure: 'throw' })
  const params = { id: String(category.id) }
  const whyNotSave = useWhyNotSave(faqCategories.update, { params, body: {} })
  const form = useRecordForm({
    name: `faq-category-${category.id}`,
    fields: faqCategoryFields,
    schema: FaqCategoryChange,
    record: category,
    title: category.title,

    update: (body) => send({ params, body }),
    onSaved: onClose,
  })
  return (
    <FormModal
      title={`Edit ${category.title}`}
      form={form}
      onClose={onClose}
      whyNotSave={whyNotSave}
      side="right"
    >
      <FaqCategoryInputs form={form} own={category.id} />
    </FormModal>
  )
}

interface InputsProps {
  form: FieldsForm<typeof faqCategoryFields>
  /** The category that is edited. */
  own?: number
}

function FaqCategoryInputs({ form, own }: InputsProps) {
  return (
    <>
      <Field form={form} name="title" autoFocus />
      <Field form={form} name="slug" description={slugHint} />
      <CategoryField
        {...form.control('parent_id')}
        clearable
        none="None (top level)"
        find={findFaqCategories(own === undefined ? {} : { current: own })}
      />
      <Field form={form} name="description" />
    </>
  )
}
