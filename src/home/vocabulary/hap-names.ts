/** HAP types by the names that the APIs show. The APIs use HAP's tables only through this file. */
export { categoryTitle } from '../../hap-spec/categories.ts';
export { characteristicName } from '../../hap-spec/characteristics.ts';
export { serviceName } from '../../hap-spec/services.ts';
