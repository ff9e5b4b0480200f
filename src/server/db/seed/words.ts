/*
 * Initial lists for a new panel: data that users can change later (docs/spec-gaps.md G108). Tones are Mantine
 * color names. Code refers only to IDs.
 */

/** The name of product 1 comes from the settings (docs/spec-gaps.md G01). */
export const products = [
  { id: 1, slug: 'linen', name: 'Linen' },
  { id: 2, slug: 'staffer', name: 'staffer' },
  { id: 3, slug: 'equipmate', name: 'equipmate' },
  { id: 4, slug: 'lineniq', name: 'lineniq' },
]

export const teams = ['Development', 'Design', 'Support', 'Sales', 'Content']
export const taskTypes = ['Feature', 'Bug', 'Improvement', 'Research']

export const leadStatuses = [
  { id: 1, name: 'New', tone: 'blue', probability: 5, stuck_days: 3 },
  { id: 2, name: 'Contacted', tone: 'cyan', probability: 10, stuck_days: 7 },
  { id: 3, name: 'Qualified', tone: 'teal', probability: 25, stuck_days: 14 },
  { id: 4, name: 'Demo scheduled', tone: 'indigo', probability: 40, stuck_days: 14, for_demo: 2 },
  { id: 5, name: 'Demo done', tone: 'violet', probability: 50, stuck_days: 7, for_demo: 3 },
  { id: 6, name: 'Proposal', tone: 'orange', probability: 60, stuck_days: 14 },
  { id: 7, name: 'Won', tone: 'green', is_won: true, probability: 100 },
  { id: 8, name: 'Rejected', tone: 'red' },
]

/** Why leads are rejected. */
export const leadRejectReasons = [
  'Price',
  'Chose another vendor',
  'No budget this year',
  'No answer',
  'Missing feature',
  'Not a fit',
  'Duplicate',
  'Other',
].map((name, index) => ({ id: index + 1, name }))

/** Onboarding stages with their usual duration in days, the same for each product until changed. */
export const onboardingStages = [
  { name: 'Kickoff', usual_days: 3 },
  { name: 'Data and accounts', usual_days: 7 },
  { name: 'Setup', usual_days: 7 },
  { name: 'Training', usual_days: 10 },
  { name: 'Go-live', usual_days: 3 },
]

/** Lead colors, which indicate the lead's priority. */
export const leadColors = [
  { id: 0, name: 'None', tone: 'gray' },
  { id: 1, name: 'Low', tone: 'blue' },
  { id: 2, name: 'Medium', tone: 'yellow' },
  { id: 3, name: 'High', tone: 'orange' },
  { id: 4, name: 'Urgent', tone: 'red' },
]

export const leadServices = [
  'Linen rental',
  'Linen tracking',
  'Laundry management',
  'Staff scheduling',
  'Equipment maintenance',
  'Analytics and reporting',
  'Consulting',
  'Integration',
]
export const leadSources = [
  'Website',
  'Search engine',
  'Referral',
  'Trade show',
  'Webinar',
  'Social media',
  'Newsletter',
  'Cold call',
  'Partner',
  'Other',
]
export const leadCogTypes = [
  'Bed linen',
  'Bath linen',
  'Table linen',
  'Uniforms',
  'Scrubs',
  'Surgical textiles',
  'Kitchen textiles',
  'Mats',
]
export const leadTags = [
  'Hospital',
  'Hotel',
  'Laundry',
  'Restaurant',
  'Nursing home',
  'Spa',
  'Multi-site',
  'Key account',
  'Call back',
  'Price sensitive',
]
