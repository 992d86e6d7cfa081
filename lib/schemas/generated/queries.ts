// @ts-nocheck
/** Generated from schemas/queries and schemas/admin by `npm run generate`. Do not edit. */
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { FORMATS } from '../formats.ts'


const queries_console_login = validate0;
const schema0 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/queries/console-login.json","type":"object","required":["token"],"additionalProperties":false,"properties":{"token":{"type":"string","minLength":1,"maxLength":128}}};

function validate0(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/queries/console-login.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate0.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.token === undefined) && (missing0 = "token")){
validate0.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "token")){
validate0.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.token !== undefined){
let data0 = data.token;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length > 128){
validate0.errors = [{instancePath:instancePath+"/token",schemaPath:"#/properties/token/maxLength",keyword:"maxLength",params:{limit: 128}}];
return false;
}
else {
if(data0.length < 1){
validate0.errors = [{instancePath:instancePath+"/token",schemaPath:"#/properties/token/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/token",schemaPath:"#/properties/token/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
}
}
}
else {
validate0.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate0.errors = vErrors;
return errors === 0;
}
validate0.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const queries_endpoint_metrics = validate1;
const schema1 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/queries/endpoint-metrics.json","type":"object","required":["endpoint"],"additionalProperties":false,"properties":{"endpoint":{"type":"string","minLength":1,"maxLength":255},"range_minutes":{"type":"integer","minimum":1,"maximum":10080,"default":60}}};

function validate1(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/queries/endpoint-metrics.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate1.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.range_minutes === undefined){
data.range_minutes = 60;
}
let missing0;
if((data.endpoint === undefined) && (missing0 = "endpoint")){
validate1.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "endpoint") || (key0 === "range_minutes"))){
validate1.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.endpoint !== undefined){
let data0 = data.endpoint;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length > 255){
validate1.errors = [{instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/maxLength",keyword:"maxLength",params:{limit: 255}}];
return false;
}
else {
if(data0.length < 1){
validate1.errors = [{instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate1.errors = [{instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data1 = data.range_minutes;
const _errs4 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate1.errors = [{instancePath:instancePath+"/range_minutes",schemaPath:"#/properties/range_minutes/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs4){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 10080 || isNaN(data1)){
validate1.errors = [{instancePath:instancePath+"/range_minutes",schemaPath:"#/properties/range_minutes/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10080}}];
return false;
}
else {
if(data1 < 1 || isNaN(data1)){
validate1.errors = [{instancePath:instancePath+"/range_minutes",schemaPath:"#/properties/range_minutes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs4 === errors;
}
}
}
}
else {
validate1.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate1.errors = vErrors;
return errors === 0;
}
validate1.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const queries_endpoint_request = validate2;
const schema2 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/queries/endpoint-request.json","type":"object","required":["endpoint"],"additionalProperties":false,"properties":{"endpoint":{"type":"string","minLength":1,"maxLength":255}}};

function validate2(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/queries/endpoint-request.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate2.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.endpoint === undefined) && (missing0 = "endpoint")){
validate2.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "endpoint")){
validate2.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.endpoint !== undefined){
let data0 = data.endpoint;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length > 255){
validate2.errors = [{instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/maxLength",keyword:"maxLength",params:{limit: 255}}];
return false;
}
else {
if(data0.length < 1){
validate2.errors = [{instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate2.errors = [{instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
}
}
}
else {
validate2.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate2.errors = vErrors;
return errors === 0;
}
validate2.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const queries_endpoint_requests = validate3;
const schema3 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/queries/endpoint-requests.json","type":"object","required":["endpoint"],"additionalProperties":false,"properties":{"endpoint":{"type":"string","minLength":1,"maxLength":255},"limit":{"type":"integer","minimum":1,"maximum":200,"default":50},"cursor":{"type":"string","format":"date-time"},"errors_only":{"type":"boolean","default":false},"min_ttft_ms":{"type":"integer","minimum":0,"maximum":2147483647},"max_ttft_ms":{"type":"integer","minimum":0,"maximum":2147483647},"min_total_latency_ms":{"type":"integer","minimum":0,"maximum":2147483647},"max_total_latency_ms":{"type":"integer","minimum":0,"maximum":2147483647},"max_cache_hit_pct":{"type":"number","minimum":0,"maximum":100},"min_input_tokens":{"type":"integer","minimum":0,"maximum":2147483647},"tag":{"type":"array","maxItems":20,"items":{"type":"string","pattern":"^[a-z0-9_-]{1,32}$"}}}};
const func0 = Object.prototype.hasOwnProperty;
const formats0 = FORMATS["date-time"];
const pattern0 = new RegExp("^[a-z0-9_-]{1,32}$", "u");

function validate3(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/queries/endpoint-requests.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate3.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.limit === undefined){
data.limit = 50;
}
if(data.errors_only === undefined){
data.errors_only = false;
}
let missing0;
if((data.endpoint === undefined) && (missing0 = "endpoint")){
validate3.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func0.call(schema3.properties, key0))){
validate3.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.endpoint !== undefined){
let data0 = data.endpoint;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length > 255){
validate3.errors = [{instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/maxLength",keyword:"maxLength",params:{limit: 255}}];
return false;
}
else {
if(data0.length < 1){
validate3.errors = [{instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate3.errors = [{instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data1 = data.limit;
const _errs4 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate3.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs4){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 200 || isNaN(data1)){
validate3.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/maximum",keyword:"maximum",params:{comparison: "<=", limit: 200}}];
return false;
}
else {
if(data1 < 1 || isNaN(data1)){
validate3.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs4 === errors;
if(valid0){
if(data.cursor !== undefined){
let data2 = data.cursor;
const _errs6 = errors;
if(errors === _errs6){
if(errors === _errs6){
if(typeof data2 === "string"){
if(!(formats0(data2))){
validate3.errors = [{instancePath:instancePath+"/cursor",schemaPath:"#/properties/cursor/format",keyword:"format",params:{format: "date-time"}}];
return false;
}
}
else {
validate3.errors = [{instancePath:instancePath+"/cursor",schemaPath:"#/properties/cursor/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
const _errs8 = errors;
if(typeof data.errors_only !== "boolean"){
validate3.errors = [{instancePath:instancePath+"/errors_only",schemaPath:"#/properties/errors_only/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs8 === errors;
if(valid0){
if(data.min_ttft_ms !== undefined){
let data4 = data.min_ttft_ms;
const _errs10 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate3.errors = [{instancePath:instancePath+"/min_ttft_ms",schemaPath:"#/properties/min_ttft_ms/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs10){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 2147483647 || isNaN(data4)){
validate3.errors = [{instancePath:instancePath+"/min_ttft_ms",schemaPath:"#/properties/min_ttft_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data4 < 0 || isNaN(data4)){
validate3.errors = [{instancePath:instancePath+"/min_ttft_ms",schemaPath:"#/properties/min_ttft_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.max_ttft_ms !== undefined){
let data5 = data.max_ttft_ms;
const _errs12 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate3.errors = [{instancePath:instancePath+"/max_ttft_ms",schemaPath:"#/properties/max_ttft_ms/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs12){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 2147483647 || isNaN(data5)){
validate3.errors = [{instancePath:instancePath+"/max_ttft_ms",schemaPath:"#/properties/max_ttft_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data5 < 0 || isNaN(data5)){
validate3.errors = [{instancePath:instancePath+"/max_ttft_ms",schemaPath:"#/properties/max_ttft_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.min_total_latency_ms !== undefined){
let data6 = data.min_total_latency_ms;
const _errs14 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
validate3.errors = [{instancePath:instancePath+"/min_total_latency_ms",schemaPath:"#/properties/min_total_latency_ms/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs14){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 2147483647 || isNaN(data6)){
validate3.errors = [{instancePath:instancePath+"/min_total_latency_ms",schemaPath:"#/properties/min_total_latency_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data6 < 0 || isNaN(data6)){
validate3.errors = [{instancePath:instancePath+"/min_total_latency_ms",schemaPath:"#/properties/min_total_latency_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.max_total_latency_ms !== undefined){
let data7 = data.max_total_latency_ms;
const _errs16 = errors;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
validate3.errors = [{instancePath:instancePath+"/max_total_latency_ms",schemaPath:"#/properties/max_total_latency_ms/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs16){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 2147483647 || isNaN(data7)){
validate3.errors = [{instancePath:instancePath+"/max_total_latency_ms",schemaPath:"#/properties/max_total_latency_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data7 < 0 || isNaN(data7)){
validate3.errors = [{instancePath:instancePath+"/max_total_latency_ms",schemaPath:"#/properties/max_total_latency_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.max_cache_hit_pct !== undefined){
let data8 = data.max_cache_hit_pct;
const _errs18 = errors;
if(errors === _errs18){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 100 || isNaN(data8)){
validate3.errors = [{instancePath:instancePath+"/max_cache_hit_pct",schemaPath:"#/properties/max_cache_hit_pct/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100}}];
return false;
}
else {
if(data8 < 0 || isNaN(data8)){
validate3.errors = [{instancePath:instancePath+"/max_cache_hit_pct",schemaPath:"#/properties/max_cache_hit_pct/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
else {
validate3.errors = [{instancePath:instancePath+"/max_cache_hit_pct",schemaPath:"#/properties/max_cache_hit_pct/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.min_input_tokens !== undefined){
let data9 = data.min_input_tokens;
const _errs20 = errors;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
validate3.errors = [{instancePath:instancePath+"/min_input_tokens",schemaPath:"#/properties/min_input_tokens/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs20){
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 > 2147483647 || isNaN(data9)){
validate3.errors = [{instancePath:instancePath+"/min_input_tokens",schemaPath:"#/properties/min_input_tokens/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data9 < 0 || isNaN(data9)){
validate3.errors = [{instancePath:instancePath+"/min_input_tokens",schemaPath:"#/properties/min_input_tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tag !== undefined){
let data10 = data.tag;
const _errs22 = errors;
if(errors === _errs22){
if(Array.isArray(data10)){
if(data10.length > 20){
validate3.errors = [{instancePath:instancePath+"/tag",schemaPath:"#/properties/tag/maxItems",keyword:"maxItems",params:{limit: 20}}];
return false;
}
else {
var valid1 = true;
const len0 = data10.length;
for(let i0=0; i0<len0; i0++){
let data11 = data10[i0];
const _errs24 = errors;
if(errors === _errs24){
if(typeof data11 === "string"){
if(!pattern0.test(data11)){
validate3.errors = [{instancePath:instancePath+"/tag/" + i0,schemaPath:"#/properties/tag/items/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9_-]{1,32}$"}}];
return false;
}
}
else {
validate3.errors = [{instancePath:instancePath+"/tag/" + i0,schemaPath:"#/properties/tag/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid1 = _errs24 === errors;
if(!valid1){
break;
}
}
}
}
else {
validate3.errors = [{instancePath:instancePath+"/tag",schemaPath:"#/properties/tag/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate3.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate3.errors = vErrors;
return errors === 0;
}
validate3.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const queries_file_list = validate4;
const schema4 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/queries/file-list.json","type":"object","additionalProperties":false,"properties":{"after":{"type":"string","minLength":1,"maxLength":64},"limit":{"type":"integer","minimum":1,"maximum":10000,"default":10000},"order":{"enum":["asc","desc"],"default":"desc"},"purpose":{"type":"string","minLength":1,"maxLength":64}}};

function validate4(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/queries/file-list.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate4.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.limit === undefined){
data.limit = 10000;
}
if(data.order === undefined){
data.order = "desc";
}
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "after") || (key0 === "limit")) || (key0 === "order")) || (key0 === "purpose"))){
validate4.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.after !== undefined){
let data0 = data.after;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length > 64){
validate4.errors = [{instancePath:instancePath+"/after",schemaPath:"#/properties/after/maxLength",keyword:"maxLength",params:{limit: 64}}];
return false;
}
else {
if(data0.length < 1){
validate4.errors = [{instancePath:instancePath+"/after",schemaPath:"#/properties/after/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate4.errors = [{instancePath:instancePath+"/after",schemaPath:"#/properties/after/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data1 = data.limit;
const _errs4 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate4.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs4){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 10000 || isNaN(data1)){
validate4.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000}}];
return false;
}
else {
if(data1 < 1 || isNaN(data1)){
validate4.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs4 === errors;
if(valid0){
let data2 = data.order;
const _errs6 = errors;
if(!((data2 === "asc") || (data2 === "desc"))){
validate4.errors = [{instancePath:instancePath+"/order",schemaPath:"#/properties/order/enum",keyword:"enum",params:{allowedValues: schema4.properties.order.enum}}];
return false;
}
var valid0 = _errs6 === errors;
if(valid0){
if(data.purpose !== undefined){
let data3 = data.purpose;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data3 === "string"){
if(data3.length > 64){
validate4.errors = [{instancePath:instancePath+"/purpose",schemaPath:"#/properties/purpose/maxLength",keyword:"maxLength",params:{limit: 64}}];
return false;
}
else {
if(data3.length < 1){
validate4.errors = [{instancePath:instancePath+"/purpose",schemaPath:"#/properties/purpose/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate4.errors = [{instancePath:instancePath+"/purpose",schemaPath:"#/properties/purpose/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate4.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate4.errors = vErrors;
return errors === 0;
}
validate4.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const queries_usage_me = validate5;
const schema5 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/queries/usage-me.json","type":"object","additionalProperties":false,"properties":{"period":{"enum":["1d","7d","30d"]},"start_at":{"type":"string"},"end_at":{"type":"string"},"endpoint":{"type":"string","minLength":1,"maxLength":255},"pass_account_id":{"type":"string","format":"uuid"}}};
const formats2 = FORMATS.uuid;

function validate5(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/queries/usage-me.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate5.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "period") || (key0 === "start_at")) || (key0 === "end_at")) || (key0 === "endpoint")) || (key0 === "pass_account_id"))){
validate5.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.period !== undefined){
let data0 = data.period;
const _errs2 = errors;
if(!(((data0 === "1d") || (data0 === "7d")) || (data0 === "30d"))){
validate5.errors = [{instancePath:instancePath+"/period",schemaPath:"#/properties/period/enum",keyword:"enum",params:{allowedValues: schema5.properties.period.enum}}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.start_at !== undefined){
const _errs3 = errors;
if(typeof data.start_at !== "string"){
validate5.errors = [{instancePath:instancePath+"/start_at",schemaPath:"#/properties/start_at/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.end_at !== undefined){
const _errs5 = errors;
if(typeof data.end_at !== "string"){
validate5.errors = [{instancePath:instancePath+"/end_at",schemaPath:"#/properties/end_at/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.endpoint !== undefined){
let data3 = data.endpoint;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data3 === "string"){
if(data3.length > 255){
validate5.errors = [{instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/maxLength",keyword:"maxLength",params:{limit: 255}}];
return false;
}
else {
if(data3.length < 1){
validate5.errors = [{instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate5.errors = [{instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.pass_account_id !== undefined){
let data4 = data.pass_account_id;
const _errs9 = errors;
if(errors === _errs9){
if(errors === _errs9){
if(typeof data4 === "string"){
if(!(formats2(data4))){
validate5.errors = [{instancePath:instancePath+"/pass_account_id",schemaPath:"#/properties/pass_account_id/format",keyword:"format",params:{format: "uuid"}}];
return false;
}
}
else {
validate5.errors = [{instancePath:instancePath+"/pass_account_id",schemaPath:"#/properties/pass_account_id/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate5.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate5.errors = vErrors;
return errors === 0;
}
validate5.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const queries_usage_team = validate6;
const schema6 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/queries/usage-team.json","type":"object","additionalProperties":false,"properties":{"period":{"enum":["1d","7d","30d"]},"start_at":{"type":"string"},"end_at":{"type":"string"},"endpoint":{"type":"string","minLength":1,"maxLength":255},"include_removed":{"type":"boolean","default":true}}};

function validate6(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/queries/usage-team.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate6.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.include_removed === undefined){
data.include_removed = true;
}
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "period") || (key0 === "start_at")) || (key0 === "end_at")) || (key0 === "endpoint")) || (key0 === "include_removed"))){
validate6.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.period !== undefined){
let data0 = data.period;
const _errs2 = errors;
if(!(((data0 === "1d") || (data0 === "7d")) || (data0 === "30d"))){
validate6.errors = [{instancePath:instancePath+"/period",schemaPath:"#/properties/period/enum",keyword:"enum",params:{allowedValues: schema6.properties.period.enum}}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.start_at !== undefined){
const _errs3 = errors;
if(typeof data.start_at !== "string"){
validate6.errors = [{instancePath:instancePath+"/start_at",schemaPath:"#/properties/start_at/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.end_at !== undefined){
const _errs5 = errors;
if(typeof data.end_at !== "string"){
validate6.errors = [{instancePath:instancePath+"/end_at",schemaPath:"#/properties/end_at/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.endpoint !== undefined){
let data3 = data.endpoint;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data3 === "string"){
if(data3.length > 255){
validate6.errors = [{instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/maxLength",keyword:"maxLength",params:{limit: 255}}];
return false;
}
else {
if(data3.length < 1){
validate6.errors = [{instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate6.errors = [{instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
const _errs9 = errors;
if(typeof data.include_removed !== "boolean"){
validate6.errors = [{instancePath:instancePath+"/include_removed",schemaPath:"#/properties/include_removed/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs9 === errors;
}
}
}
}
}
}
else {
validate6.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate6.errors = vErrors;
return errors === 0;
}
validate6.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const admin_account_query = validate7;
const schema7 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/admin/account-query.json","type":"object","additionalProperties":false,"properties":{"limit":{"type":"integer","minimum":1,"maximum":500,"default":50},"name":{"type":"string","maxLength":256},"cursor":{"type":"string","maxLength":200,"format":"uuid"}}};

function validate7(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/admin/account-query.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate7.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.limit === undefined){
data.limit = 50;
}
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "limit") || (key0 === "name")) || (key0 === "cursor"))){
validate7.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
let data0 = data.limit;
const _errs2 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate7.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs2){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 500 || isNaN(data0)){
validate7.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/maximum",keyword:"maximum",params:{comparison: "<=", limit: 500}}];
return false;
}
else {
if(data0 < 1 || isNaN(data0)){
validate7.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs2 === errors;
if(valid0){
if(data.name !== undefined){
let data1 = data.name;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length > 256){
validate7.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 256}}];
return false;
}
}
else {
validate7.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.cursor !== undefined){
let data2 = data.cursor;
const _errs6 = errors;
if(errors === _errs6){
if(errors === _errs6){
if(typeof data2 === "string"){
if(data2.length > 200){
validate7.errors = [{instancePath:instancePath+"/cursor",schemaPath:"#/properties/cursor/maxLength",keyword:"maxLength",params:{limit: 200}}];
return false;
}
else {
if(!(formats2(data2))){
validate7.errors = [{instancePath:instancePath+"/cursor",schemaPath:"#/properties/cursor/format",keyword:"format",params:{format: "uuid"}}];
return false;
}
}
}
else {
validate7.errors = [{instancePath:instancePath+"/cursor",schemaPath:"#/properties/cursor/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate7.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate7.errors = vErrors;
return errors === 0;
}
validate7.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const admin_audit_query = validate8;
const schema8 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/admin/audit-query.json","type":"object","additionalProperties":false,"properties":{"account":{"type":"string"},"actor":{"type":"string"},"action":{"type":"string"},"from":{"type":"string","format":"date-time"},"to":{"type":"string","format":"date-time"},"limit":{"type":"integer","minimum":1,"maximum":500,"default":50},"cursor":{"type":"string","maxLength":200,"format":"uuid"}}};

function validate8(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/admin/audit-query.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate8.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.limit === undefined){
data.limit = 50;
}
const _errs1 = errors;
for(const key0 in data){
if(!(((((((key0 === "account") || (key0 === "actor")) || (key0 === "action")) || (key0 === "from")) || (key0 === "to")) || (key0 === "limit")) || (key0 === "cursor"))){
validate8.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.account !== undefined){
const _errs2 = errors;
if(typeof data.account !== "string"){
validate8.errors = [{instancePath:instancePath+"/account",schemaPath:"#/properties/account/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.actor !== undefined){
const _errs4 = errors;
if(typeof data.actor !== "string"){
validate8.errors = [{instancePath:instancePath+"/actor",schemaPath:"#/properties/actor/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.action !== undefined){
const _errs6 = errors;
if(typeof data.action !== "string"){
validate8.errors = [{instancePath:instancePath+"/action",schemaPath:"#/properties/action/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.from !== undefined){
let data3 = data.from;
const _errs8 = errors;
if(errors === _errs8){
if(errors === _errs8){
if(typeof data3 === "string"){
if(!(formats0(data3))){
validate8.errors = [{instancePath:instancePath+"/from",schemaPath:"#/properties/from/format",keyword:"format",params:{format: "date-time"}}];
return false;
}
}
else {
validate8.errors = [{instancePath:instancePath+"/from",schemaPath:"#/properties/from/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.to !== undefined){
let data4 = data.to;
const _errs10 = errors;
if(errors === _errs10){
if(errors === _errs10){
if(typeof data4 === "string"){
if(!(formats0(data4))){
validate8.errors = [{instancePath:instancePath+"/to",schemaPath:"#/properties/to/format",keyword:"format",params:{format: "date-time"}}];
return false;
}
}
else {
validate8.errors = [{instancePath:instancePath+"/to",schemaPath:"#/properties/to/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data5 = data.limit;
const _errs12 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate8.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs12){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 500 || isNaN(data5)){
validate8.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/maximum",keyword:"maximum",params:{comparison: "<=", limit: 500}}];
return false;
}
else {
if(data5 < 1 || isNaN(data5)){
validate8.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs12 === errors;
if(valid0){
if(data.cursor !== undefined){
let data6 = data.cursor;
const _errs14 = errors;
if(errors === _errs14){
if(errors === _errs14){
if(typeof data6 === "string"){
if(data6.length > 200){
validate8.errors = [{instancePath:instancePath+"/cursor",schemaPath:"#/properties/cursor/maxLength",keyword:"maxLength",params:{limit: 200}}];
return false;
}
else {
if(!(formats2(data6))){
validate8.errors = [{instancePath:instancePath+"/cursor",schemaPath:"#/properties/cursor/format",keyword:"format",params:{format: "uuid"}}];
return false;
}
}
}
else {
validate8.errors = [{instancePath:instancePath+"/cursor",schemaPath:"#/properties/cursor/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
else {
validate8.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate8.errors = vErrors;
return errors === 0;
}
validate8.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const admin_ledger_query = validate9;
const schema9 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/admin/ledger-query.json","type":"object","additionalProperties":false,"properties":{"limit":{"type":"integer","minimum":1,"maximum":500,"default":50},"cursor":{"type":"string","maxLength":200}}};

function validate9(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/admin/ledger-query.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate9.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.limit === undefined){
data.limit = 50;
}
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "limit") || (key0 === "cursor"))){
validate9.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
let data0 = data.limit;
const _errs2 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate9.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs2){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 500 || isNaN(data0)){
validate9.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/maximum",keyword:"maximum",params:{comparison: "<=", limit: 500}}];
return false;
}
else {
if(data0 < 1 || isNaN(data0)){
validate9.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs2 === errors;
if(valid0){
if(data.cursor !== undefined){
let data1 = data.cursor;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length > 200){
validate9.errors = [{instancePath:instancePath+"/cursor",schemaPath:"#/properties/cursor/maxLength",keyword:"maxLength",params:{limit: 200}}];
return false;
}
}
else {
validate9.errors = [{instancePath:instancePath+"/cursor",schemaPath:"#/properties/cursor/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
else {
validate9.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate9.errors = vErrors;
return errors === 0;
}
validate9.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const admin_none = validate10;
const schema10 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/admin/none.json","type":"object","additionalProperties":false,"properties":{}};

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/admin/none.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate10.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
validate10.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
else {
validate10.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate10.errors = vErrors;
return errors === 0;
}
validate10.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const admin_request_query = validate11;
const schema11 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/admin/request-query.json","type":"object","additionalProperties":false,"properties":{"account":{"type":"string"},"model":{"type":"string"},"backend":{"type":"string"},"surface":{"type":"string","enum":["gateway","api","dedicated"]},"route":{"type":"string"},"endpoint":{"type":"string","minLength":1,"maxLength":255},"tag":{"type":"array","maxItems":20,"items":{"type":"string","pattern":"^[a-z0-9_-]{1,32}$"}},"status":{"type":"integer","minimum":100,"maximum":599},"errors_only":{"type":"boolean","default":false},"from":{"type":"string","format":"date-time"},"to":{"type":"string","format":"date-time"},"min_ttft_ms":{"type":"integer","minimum":0,"maximum":2147483647},"max_ttft_ms":{"type":"integer","minimum":0,"maximum":2147483647},"min_total_latency_ms":{"type":"integer","minimum":0,"maximum":2147483647},"max_total_latency_ms":{"type":"integer","minimum":0,"maximum":2147483647},"max_cache_hit_pct":{"type":"number","minimum":0,"maximum":100},"min_input_tokens":{"type":"integer","minimum":0,"maximum":2147483647},"limit":{"type":"integer","minimum":1,"maximum":500,"default":50},"cursor":{"type":"string","format":"uuid"}}};

function validate11(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/admin/request-query.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate11.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.errors_only === undefined){
data.errors_only = false;
}
if(data.limit === undefined){
data.limit = 50;
}
const _errs1 = errors;
for(const key0 in data){
if(!(func0.call(schema11.properties, key0))){
validate11.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.account !== undefined){
const _errs2 = errors;
if(typeof data.account !== "string"){
validate11.errors = [{instancePath:instancePath+"/account",schemaPath:"#/properties/account/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.model !== undefined){
const _errs4 = errors;
if(typeof data.model !== "string"){
validate11.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.backend !== undefined){
const _errs6 = errors;
if(typeof data.backend !== "string"){
validate11.errors = [{instancePath:instancePath+"/backend",schemaPath:"#/properties/backend/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.surface !== undefined){
let data3 = data.surface;
const _errs8 = errors;
if(typeof data3 !== "string"){
validate11.errors = [{instancePath:instancePath+"/surface",schemaPath:"#/properties/surface/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(!(((data3 === "gateway") || (data3 === "api")) || (data3 === "dedicated"))){
validate11.errors = [{instancePath:instancePath+"/surface",schemaPath:"#/properties/surface/enum",keyword:"enum",params:{allowedValues: schema11.properties.surface.enum}}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.route !== undefined){
const _errs10 = errors;
if(typeof data.route !== "string"){
validate11.errors = [{instancePath:instancePath+"/route",schemaPath:"#/properties/route/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.endpoint !== undefined){
let data5 = data.endpoint;
const _errs12 = errors;
if(errors === _errs12){
if(typeof data5 === "string"){
if(data5.length > 255){
validate11.errors = [{instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/maxLength",keyword:"maxLength",params:{limit: 255}}];
return false;
}
else {
if(data5.length < 1){
validate11.errors = [{instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tag !== undefined){
let data6 = data.tag;
const _errs14 = errors;
if(errors === _errs14){
if(Array.isArray(data6)){
if(data6.length > 20){
validate11.errors = [{instancePath:instancePath+"/tag",schemaPath:"#/properties/tag/maxItems",keyword:"maxItems",params:{limit: 20}}];
return false;
}
else {
var valid1 = true;
const len0 = data6.length;
for(let i0=0; i0<len0; i0++){
let data7 = data6[i0];
const _errs16 = errors;
if(errors === _errs16){
if(typeof data7 === "string"){
if(!pattern0.test(data7)){
validate11.errors = [{instancePath:instancePath+"/tag/" + i0,schemaPath:"#/properties/tag/items/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9_-]{1,32}$"}}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/tag/" + i0,schemaPath:"#/properties/tag/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid1 = _errs16 === errors;
if(!valid1){
break;
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/tag",schemaPath:"#/properties/tag/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
let data8 = data.status;
const _errs18 = errors;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
validate11.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs18){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 599 || isNaN(data8)){
validate11.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/maximum",keyword:"maximum",params:{comparison: "<=", limit: 599}}];
return false;
}
else {
if(data8 < 100 || isNaN(data8)){
validate11.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/minimum",keyword:"minimum",params:{comparison: ">=", limit: 100}}];
return false;
}
}
}
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
const _errs20 = errors;
if(typeof data.errors_only !== "boolean"){
validate11.errors = [{instancePath:instancePath+"/errors_only",schemaPath:"#/properties/errors_only/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs20 === errors;
if(valid0){
if(data.from !== undefined){
let data10 = data.from;
const _errs22 = errors;
if(errors === _errs22){
if(errors === _errs22){
if(typeof data10 === "string"){
if(!(formats0(data10))){
validate11.errors = [{instancePath:instancePath+"/from",schemaPath:"#/properties/from/format",keyword:"format",params:{format: "date-time"}}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/from",schemaPath:"#/properties/from/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.to !== undefined){
let data11 = data.to;
const _errs24 = errors;
if(errors === _errs24){
if(errors === _errs24){
if(typeof data11 === "string"){
if(!(formats0(data11))){
validate11.errors = [{instancePath:instancePath+"/to",schemaPath:"#/properties/to/format",keyword:"format",params:{format: "date-time"}}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/to",schemaPath:"#/properties/to/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.min_ttft_ms !== undefined){
let data12 = data.min_ttft_ms;
const _errs26 = errors;
if(!(((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12))) && (isFinite(data12)))){
validate11.errors = [{instancePath:instancePath+"/min_ttft_ms",schemaPath:"#/properties/min_ttft_ms/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs26){
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 > 2147483647 || isNaN(data12)){
validate11.errors = [{instancePath:instancePath+"/min_ttft_ms",schemaPath:"#/properties/min_ttft_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data12 < 0 || isNaN(data12)){
validate11.errors = [{instancePath:instancePath+"/min_ttft_ms",schemaPath:"#/properties/min_ttft_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var valid0 = _errs26 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.max_ttft_ms !== undefined){
let data13 = data.max_ttft_ms;
const _errs28 = errors;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
validate11.errors = [{instancePath:instancePath+"/max_ttft_ms",schemaPath:"#/properties/max_ttft_ms/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs28){
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 > 2147483647 || isNaN(data13)){
validate11.errors = [{instancePath:instancePath+"/max_ttft_ms",schemaPath:"#/properties/max_ttft_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data13 < 0 || isNaN(data13)){
validate11.errors = [{instancePath:instancePath+"/max_ttft_ms",schemaPath:"#/properties/max_ttft_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var valid0 = _errs28 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.min_total_latency_ms !== undefined){
let data14 = data.min_total_latency_ms;
const _errs30 = errors;
if(!(((typeof data14 == "number") && (!(data14 % 1) && !isNaN(data14))) && (isFinite(data14)))){
validate11.errors = [{instancePath:instancePath+"/min_total_latency_ms",schemaPath:"#/properties/min_total_latency_ms/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs30){
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 > 2147483647 || isNaN(data14)){
validate11.errors = [{instancePath:instancePath+"/min_total_latency_ms",schemaPath:"#/properties/min_total_latency_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data14 < 0 || isNaN(data14)){
validate11.errors = [{instancePath:instancePath+"/min_total_latency_ms",schemaPath:"#/properties/min_total_latency_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var valid0 = _errs30 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.max_total_latency_ms !== undefined){
let data15 = data.max_total_latency_ms;
const _errs32 = errors;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
validate11.errors = [{instancePath:instancePath+"/max_total_latency_ms",schemaPath:"#/properties/max_total_latency_ms/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs32){
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 > 2147483647 || isNaN(data15)){
validate11.errors = [{instancePath:instancePath+"/max_total_latency_ms",schemaPath:"#/properties/max_total_latency_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data15 < 0 || isNaN(data15)){
validate11.errors = [{instancePath:instancePath+"/max_total_latency_ms",schemaPath:"#/properties/max_total_latency_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var valid0 = _errs32 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.max_cache_hit_pct !== undefined){
let data16 = data.max_cache_hit_pct;
const _errs34 = errors;
if(errors === _errs34){
if((typeof data16 == "number") && (isFinite(data16))){
if(data16 > 100 || isNaN(data16)){
validate11.errors = [{instancePath:instancePath+"/max_cache_hit_pct",schemaPath:"#/properties/max_cache_hit_pct/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100}}];
return false;
}
else {
if(data16 < 0 || isNaN(data16)){
validate11.errors = [{instancePath:instancePath+"/max_cache_hit_pct",schemaPath:"#/properties/max_cache_hit_pct/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/max_cache_hit_pct",schemaPath:"#/properties/max_cache_hit_pct/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var valid0 = _errs34 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.min_input_tokens !== undefined){
let data17 = data.min_input_tokens;
const _errs36 = errors;
if(!(((typeof data17 == "number") && (!(data17 % 1) && !isNaN(data17))) && (isFinite(data17)))){
validate11.errors = [{instancePath:instancePath+"/min_input_tokens",schemaPath:"#/properties/min_input_tokens/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs36){
if((typeof data17 == "number") && (isFinite(data17))){
if(data17 > 2147483647 || isNaN(data17)){
validate11.errors = [{instancePath:instancePath+"/min_input_tokens",schemaPath:"#/properties/min_input_tokens/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data17 < 0 || isNaN(data17)){
validate11.errors = [{instancePath:instancePath+"/min_input_tokens",schemaPath:"#/properties/min_input_tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var valid0 = _errs36 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data18 = data.limit;
const _errs38 = errors;
if(!(((typeof data18 == "number") && (!(data18 % 1) && !isNaN(data18))) && (isFinite(data18)))){
validate11.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs38){
if((typeof data18 == "number") && (isFinite(data18))){
if(data18 > 500 || isNaN(data18)){
validate11.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/maximum",keyword:"maximum",params:{comparison: "<=", limit: 500}}];
return false;
}
else {
if(data18 < 1 || isNaN(data18)){
validate11.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs38 === errors;
if(valid0){
if(data.cursor !== undefined){
let data19 = data.cursor;
const _errs40 = errors;
if(errors === _errs40){
if(errors === _errs40){
if(typeof data19 === "string"){
if(!(formats2(data19))){
validate11.errors = [{instancePath:instancePath+"/cursor",schemaPath:"#/properties/cursor/format",keyword:"format",params:{format: "uuid"}}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/cursor",schemaPath:"#/properties/cursor/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs40 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate11.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate11.errors = vErrors;
return errors === 0;
}
validate11.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const admin_usage_query = validate12;
const schema12 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/admin/usage-query.json","type":"object","additionalProperties":false,"properties":{"account":{"type":"string"},"from":{"type":"string","format":"date-time"},"to":{"type":"string","format":"date-time"},"group_by":{"type":"string","default":"day,model"},"format":{"enum":["json","csv"],"type":"string","default":"json"}}};

function validate12(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/admin/usage-query.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate12.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.group_by === undefined){
data.group_by = "day,model";
}
if(data.format === undefined){
data.format = "json";
}
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "account") || (key0 === "from")) || (key0 === "to")) || (key0 === "group_by")) || (key0 === "format"))){
validate12.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.account !== undefined){
const _errs2 = errors;
if(typeof data.account !== "string"){
validate12.errors = [{instancePath:instancePath+"/account",schemaPath:"#/properties/account/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.from !== undefined){
let data1 = data.from;
const _errs4 = errors;
if(errors === _errs4){
if(errors === _errs4){
if(typeof data1 === "string"){
if(!(formats0(data1))){
validate12.errors = [{instancePath:instancePath+"/from",schemaPath:"#/properties/from/format",keyword:"format",params:{format: "date-time"}}];
return false;
}
}
else {
validate12.errors = [{instancePath:instancePath+"/from",schemaPath:"#/properties/from/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.to !== undefined){
let data2 = data.to;
const _errs6 = errors;
if(errors === _errs6){
if(errors === _errs6){
if(typeof data2 === "string"){
if(!(formats0(data2))){
validate12.errors = [{instancePath:instancePath+"/to",schemaPath:"#/properties/to/format",keyword:"format",params:{format: "date-time"}}];
return false;
}
}
else {
validate12.errors = [{instancePath:instancePath+"/to",schemaPath:"#/properties/to/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
const _errs8 = errors;
if(typeof data.group_by !== "string"){
validate12.errors = [{instancePath:instancePath+"/group_by",schemaPath:"#/properties/group_by/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs8 === errors;
if(valid0){
let data4 = data.format;
const _errs10 = errors;
if(typeof data4 !== "string"){
validate12.errors = [{instancePath:instancePath+"/format",schemaPath:"#/properties/format/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(!((data4 === "json") || (data4 === "csv"))){
validate12.errors = [{instancePath:instancePath+"/format",schemaPath:"#/properties/format/enum",keyword:"enum",params:{allowedValues: schema12.properties.format.enum}}];
return false;
}
var valid0 = _errs10 === errors;
}
}
}
}
}
}
else {
validate12.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate12.errors = vErrors;
return errors === 0;
}
validate12.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const QUERY_CHECKS: Readonly<Record<string, ValidateFunction>> = {
  'gateway:/queries/console-login.json': queries_console_login,
  'gateway:/queries/endpoint-metrics.json': queries_endpoint_metrics,
  'gateway:/queries/endpoint-request.json': queries_endpoint_request,
  'gateway:/queries/endpoint-requests.json': queries_endpoint_requests,
  'gateway:/queries/file-list.json': queries_file_list,
  'gateway:/queries/usage-me.json': queries_usage_me,
  'gateway:/queries/usage-team.json': queries_usage_team,
  'gateway:/admin/account-query.json': admin_account_query,
  'gateway:/admin/audit-query.json': admin_audit_query,
  'gateway:/admin/ledger-query.json': admin_ledger_query,
  'gateway:/admin/none.json': admin_none,
  'gateway:/admin/request-query.json': admin_request_query,
  'gateway:/admin/usage-query.json': admin_usage_query,
}
