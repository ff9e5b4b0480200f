/** Labels for an FAQ's fields. */
export const faqWords = {
  title: { label: 'Question' },
  body: { label: 'Answer' },
  video: { label: 'Video' },
  category_id: { label: 'Category' },
  order_number: { label: 'Position' },
  slug: { label: 'Slug' },
  published: { label: 'Published' },
  published_at: { label: 'Published on' },
}
