/** JSON text the service stores and returns but never looks into (metadata, input_data). */
export type JsonText = string;
